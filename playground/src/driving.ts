// A player's wheel and pedals: keyboard, touch pads or gamepad, whichever is used.
import { make } from './ui/dom';

// Keys turn the wheel at this rate, and let it go back faster. [1/s]
const TURN = 2.6, BACK = 4.5;
const PEDAL = 4; // [1/s]
// With keys there is only full lock: at this speed it is halved, so that cars stay on the road. [m/s]
const HALF_LOCK_SPEED = 13;
const DEAD = 0.08; // of sticks

export class Driving {
  readonly pads = make('div', { id: 'wheel', 'aria-hidden': 'true' });
  throttle = 0;
  brake = 0;
  steering = 0;
  private readonly held = new Set<string>();
  private pad = { steer: 0, pedal: 0, used: false };
  private button = false;

  constructor() {
    this.pads.append(this.makePad('steer', 'steer'), this.makePad('pedal', 'go / brake'));
  }

  private makePad(kind: 'steer' | 'pedal', text: string): HTMLElement {
    const knob = make('i'), pad = make('div', { class: `pad ${kind}` }, make('b', {}, text), knob);
    const move = (event: PointerEvent): void => {
      const box = pad.getBoundingClientRect();
      const x = clamp((event.clientX - box.left) / box.width * 2 - 1), y = clamp(1 - (event.clientY - box.top) / box.height * 2);
      if (kind === 'steer') { this.pad.steer = -x; knob.style.transform = `translate(${x * 36}px, 0)`; }
      else { this.pad.pedal = y; knob.style.transform = `translate(0, ${-y * 36}px)`; }
      this.pad.used = true;
    };
    const let_go = (): void => {
      if (kind === 'steer') this.pad.steer = 0; else this.pad.pedal = 0;
      knob.style.transform = '';
    };
    pad.addEventListener('pointerdown', (event) => { pad.setPointerCapture(event.pointerId); move(event); event.preventDefault(); });
    pad.addEventListener('pointermove', (event) => { if (pad.hasPointerCapture(event.pointerId)) move(event); });
    pad.addEventListener('pointerup', let_go);
    pad.addEventListener('pointercancel', let_go);
    return pad;
  }

  showPads(shown: boolean): void { this.pads.classList.toggle('on', shown); }

  /// True when it was a key of the wheel.
  key(code: string, down: boolean): boolean {
    const name = KEYS[code];
    if (!name) return false;
    if (down) this.held.add(name); else this.held.delete(name);
    return true;
  }
  releaseAll(): void { this.held.clear(); this.pad.steer = this.pad.pedal = 0; }
  reset(): void { this.releaseAll(); this.throttle = this.brake = this.steering = 0; }

  /// Takes in a time step. [speed: of the vehicle, m/s]
  update(dt: number, speed: number): void {
    const stick = this.gamepad();
    const lock = 1 / (1 + (speed / HALF_LOCK_SPEED) ** 2);
    const wanted = ((this.held.has('left') ? 1 : 0) - (this.held.has('right') ? 1 : 0)) * lock;
    const analogue = stick.steering !== 0 ? stick.steering : this.pad.steer !== 0 ? curve(this.pad.steer) * Math.min(1, 2 * lock) : 0;
    if (analogue !== 0) this.steering = analogue;
    else this.steering = towards(this.steering, wanted, (Math.abs(wanted) > Math.abs(this.steering) ? TURN : BACK) * dt);
    const go = Math.max(this.held.has('go') ? 1 : 0, stick.throttle, this.pad.pedal), stop = Math.max(this.held.has('stop') ? 1 : 0, stick.brake, -this.pad.pedal);
    this.throttle = go > 0 && go < 1 ? go : towards(this.throttle, clamp(go), PEDAL * dt);
    this.brake = stop > 0 && stop < 1 ? stop : towards(this.brake, clamp(stop), PEDAL * dt);
  }

  /// True once when the gamepad's first button goes down: take the wheel, or hand it back.
  gamepadButton(): boolean {
    const down = navigator.getGamepads?.().some((pad) => pad?.buttons[0]?.pressed) ?? false;
    const now = down && !this.button;
    this.button = down;
    return now;
  }

  private gamepad(): { steering: number; throttle: number; brake: number } {
    for (const pad of navigator.getGamepads?.() ?? []) {
      if (!pad?.connected) continue;
      const x = pad.axes[0] ?? 0;
      return { steering: Math.abs(x) > DEAD ? -curve(x) : 0, throttle: pad.buttons[7]?.value ?? 0, brake: pad.buttons[6]?.value ?? 0 };
    }
    return NO_STICK;
  }
}

const NO_STICK = { steering: 0, throttle: 0, brake: 0 };
const KEYS: Record<string, string> = { ArrowUp: 'go', KeyW: 'go', ArrowDown: 'stop', KeyS: 'stop', ArrowLeft: 'left', KeyA: 'left', ArrowRight: 'right', KeyD: 'right' };
const clamp = (value: number): number => Math.min(1, Math.max(-1, value));
const curve = (value: number): number => Math.sign(value) * value * value * 0.7 + value * 0.3;
const towards = (value: number, goal: number, most: number): number => value + Math.min(most, Math.max(-most, goal - value));
