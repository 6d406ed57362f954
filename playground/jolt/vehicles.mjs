// Vehicles of Jolt Physics with the suspension, tyres, engines and tracks of that engine's own
// samples: a car, a truck, a tank, a motorcycle and a buggy with four driven wheels. A driver gets of
// them what a game has: a kerb_motion, and the pedals and wheel of kerb_controls to press.
//
// Jolt has y up and vehicles face z; Kerb has z up and vehicles face x. So x, y, z of Kerb are z, x, y
// of Jolt, and rotations keep their sense.
//
// Works in Node and in the browser. `Jolt` is what the module of jolt-physics resolves to.

export const LAYER_GROUND = 0, LAYER_MOVING = 1;
const GRAVITY = 9.80665;
// How fast the wheel turns from straight to full lock, as in Jolt's sample of the motorcycle. [1/s]
const STEER_SPEED = 4;
// Below this a tank turns on the spot [m/s]; throttle that its tracks need to keep to their ratio. [1]
const PIVOT_SPEED = 0.7, TURN_THROTTLE = 0.15, LIGHT_BRAKE = 0.3;
/// What full steering of the tank means; a calibration measures what comes of it. [rad/s]
export const YAW_MAX = 0.9;
// Gears of Jolt's default transmission; how long a shift by hand takes. [s]
const GEAR_RATIOS = [2.66, 1.78, 1.3, 1, 0.74], SHIFT_TIME = 0.4, RPM = 2 * Math.PI / 60;
const DEGREE = Math.PI / 180;
const STALL = 1.25; // of the idle speed: below it the clutch opens without throttle [1]
const HANDS = 4; // numbers of a vehicle beside the angles of its wheels

/// Axles of wheels: x ahead of the middle of the body, and what kind. Sizes in metres, masses in kg.
export const VEHICLES = [
  {
    name: 'car', look: 'car', kind: 'wheeled', mass: 1500, length: 4, width: 1.8, bodyHeight: 0.4, massBelow: 0.2,
    axles: [{ x: 1.4, steers: true, drives: false }, { x: -1.4, steers: false, drives: true }],
    radius: 0.3, wheelWidth: 0.1, hang: 0.18, track: 1.8, suspension: [0.3, 0.5], frequency: 1.5, damping: 0.5,
    lock: 30 * DEGREE, torque: 500, rolls: true, brake: 1500, handbrake: 4000,
  },
  {
    // The car's sample, as heavy and long as a lorry with two rear axles, with an engine and a clutch for it;
    // its gears are shifted by whoever drives it.
    name: 'truck', look: 'truck', kind: 'wheeled', mass: 6000, length: 6.6, width: 2.3, bodyHeight: 0.8, massBelow: 0.5,
    axles: [{ x: 2.2, steers: true, drives: false }, { x: -1.2, steers: false, drives: true }, { x: -2.2, steers: false, drives: true }],
    radius: 0.5, wheelWidth: 0.3, hang: 0.35, track: 2.1, suspension: [0.3, 0.6], frequency: 1.8, damping: 0.6,
    lock: 35 * DEGREE, torque: 1500, rolls: true, brake: 6000, handbrake: 4000, rpm: [600, 3500], ratio: 5.5, clutch: 30, manual: true,
  },
  {
    name: 'tank', look: 'tank', kind: 'tracked', mass: 4000, length: 6.4, width: 3.4, bodyHeight: 1, massBelow: 0.5,
    axles: [2.95, 2.1, 1.4, 0.7, 0, -0.7, -1.4, -2.1, -2.75].map((x) => ({ x })),
    radius: 0.3, wheelWidth: 0.1, hang: 0, track: 3.4, suspension: [0.3, 0.5], frequency: 1, damping: 0.5, torque: 500,
  },
  {
    name: 'motorcycle', look: 'motorcycle', kind: 'motorcycle', mass: 240, length: 2.12, width: 0.8, bodyHeight: 0.6, massBelow: 0.3,
    axles: [{ x: 0.75, steers: true, drives: false }, { x: -0.75, steers: false, drives: true }],
    radius: 0.31, wheelWidth: 0.05, hang: 0.27, track: 0, suspension: [0.3, 0.5], frequency: 1.5, damping: 0.5,
    lock: 30 * DEGREE, torque: 150, brake: 500, handbrake: 500, rpm: [1000, 10000], ratio: 1.93 * 40 / 16, gears: [2.27, 1.63, 1.3, 1.09, 0.96, 0.88], reverse: [-4], shift: [8000, 2000],
  },
  {
    // The car's sample with four driven wheels, light and softly sprung. Jolt holds an engine at its idle speed
    // whatever the load, so below the speed that belongs to it any throttle pulls like full throttle. So light a
    // vehicle can be driven slowly only where its engine idles slowly.
    name: 'buggy', look: 'buggy', kind: 'wheeled', mass: 900, length: 3.4, width: 1.8, bodyHeight: 0.4, massBelow: 0.2,
    axles: [{ x: 1.15, steers: true, drives: true }, { x: -1.15, steers: false, drives: true }],
    radius: 0.4, wheelWidth: 0.25, hang: 0.1, track: 1.7, suspension: [0.3, 0.6], frequency: 1.3, damping: 0.45,
    lock: 32 * DEGREE, torque: 350, rolls: true, brake: 1500, handbrake: 3000, rpm: [300, 6000], shift: [4000, 2000],
  },
];

export const vehicleNamed = (name) => VEHICLES.find((each) => each.name === name);

/// What a game knows without measuring, for kerb_vehicle. The reference point is the middle of the body.
export function knownOf(design) {
  const xs = design.axles.map((axle) => axle.x), tracked = design.kind === 'tracked';
  const rears = design.axles.filter((axle) => !axle.steers), rear = rears.reduce((sum, axle) => sum + axle.x, 0) / rears.length;
  const contact = Math.max(...xs) - Math.min(...xs);
  return {
    kind: tracked ? 1 : 0, length: design.length, width: design.width, front: 0.5 * design.length,
    rearAxle: tracked ? 0 : -rear, wheelbase: tracked ? 0.5 * contact : Math.max(...xs) - rear, mass: design.mass,
    gears: design.manual ? {
      ratios: GEAR_RATIOS.map((ratio) => ratio * design.ratio), wheelRadius: design.radius, idle: design.rpm[0] * RPM,
      power: 0.9 * design.rpm[1] * RPM, max: design.rpm[1] * RPM, shiftTime: SHIFT_TIME,
    } : undefined,
  };
}

// --------------------------------------------------------------------------- the world

/// A Jolt world with its own ground; `level`: a floor at height 0 under everything.
export class JoltWorld {
  constructor(Jolt, { level = true, bodies = 256 } = {}) {
    this.Jolt = Jolt;
    const settings = new Jolt.JoltSettings();
    settings.mMaxWorkerThreads = 0;
    settings.mMaxBodies = bodies;
    settings.mMaxBodyPairs = 2048;
    settings.mMaxContactConstraints = 1024;
    const pairs = new Jolt.ObjectLayerPairFilterTable(2);
    pairs.EnableCollision(LAYER_GROUND, LAYER_MOVING);
    pairs.EnableCollision(LAYER_MOVING, LAYER_MOVING);
    const still = new Jolt.BroadPhaseLayer(0), moving = new Jolt.BroadPhaseLayer(1), phases = new Jolt.BroadPhaseLayerInterfaceTable(2, 2);
    phases.MapObjectToBroadPhaseLayer(LAYER_GROUND, still);
    phases.MapObjectToBroadPhaseLayer(LAYER_MOVING, moving);
    settings.mObjectLayerPairFilter = pairs;
    settings.mBroadPhaseLayerInterface = phases;
    settings.mObjectVsBroadPhaseLayerFilter = new Jolt.ObjectVsBroadPhaseLayerFilterTable(phases, 2, pairs, 2);
    this.jolt = new Jolt.JoltInterface(settings);
    Jolt.destroy(settings);
    this.physics = this.jolt.GetPhysicsSystem();
    this.bodies = this.physics.GetBodyInterface();
    const down = new Jolt.Vec3(0, -GRAVITY, 0);
    this.physics.SetGravity(down);
    Jolt.destroy(down);
    this.vec = new Jolt.Vec3(0, 0, 0);
    this.place = new Jolt.RVec3(0, 0, 0);
    this.turn = new Jolt.Quat(0, 0, 0, 1);
    this.vehicles = [];
    this.solids = [];
    if (level) this.floor = this.addBox(0, 0, -1, 0, 8000, 8000, 2);
  }

  addBody(shape, x, y, z, q, layer = LAYER_GROUND) {
    const { Jolt } = this;
    this.place.Set(y, z, x);
    this.turn.Set(q[1], q[2], q[0], q[3]);
    const settings = new Jolt.BodyCreationSettings(shape, this.place, this.turn, Jolt.EMotionType_Static, layer);
    const body = this.bodies.CreateBody(settings);
    Jolt.destroy(settings);
    this.bodies.AddBody(body.GetID(), Jolt.EActivation_DontActivate);
    body.SetFriction(1);
    return body;
  }

  /// A box around x, y, z. [m, rad]
  addBox(x, y, z, heading, length, width, height) {
    this.vec.Set(0.5 * width, 0.5 * height, 0.5 * length);
    return this.addBody(new this.Jolt.BoxShape(this.vec, 0.01), x, y, z, [0, 0, Math.sin(0.5 * heading), Math.cos(0.5 * heading)]);
  }

  addPost(x, y, z, radius, height) {
    return this.addBody(new this.Jolt.CylinderShape(0.5 * height, radius, 0.01), x, y, z, [0, 0, 0, 1]);
  }

  /// Ground from heights on a grid, x running fastest.
  addHeights(x, y, spacing, nx, ny, heights) {
    const { Jolt } = this, vertices = new Jolt.VertexList(), triangles = new Jolt.IndexedTriangleList();
    vertices.resize(nx * ny);
    triangles.resize((nx - 1) * (ny - 1) * 2);
    for (let j = 0; j < ny; j++)
      for (let i = 0; i < nx; i++) {
        const v = vertices.at(j * nx + i);
        v.x = y + j * spacing; v.y = heights[j * nx + i]; v.z = x + i * spacing;
      }
    let at = 0;
    const put = (a, b, c) => { const t = triangles.at(at++); t.set_mIdx(0, a); t.set_mIdx(1, b); t.set_mIdx(2, c); };
    for (let j = 0; j + 1 < ny; j++)
      for (let i = 0; i + 1 < nx; i++) {
        const a = j * nx + i;
        put(a, a + 1, a + nx + 1);
        put(a, a + nx + 1, a + nx);
      }
    const settings = new Jolt.MeshShapeSettings(vertices, triangles, new Jolt.PhysicsMaterialList());
    return this.addBody(settings.Create().Get(), 0, 0, 0, [0, 0, 0, 1]);
  }

  /// Moves a body of the ground: through x, y, z, at right angles to a normal; its top is `thick` above its middle.
  moveGround(body, x, y, z, nx, ny, nz, thick) {
    const q = upTo(nx, ny, nz);
    this.place.Set(y - thick * ny, z - thick * nz, x - thick * nx);
    this.turn.Set(q[1], q[2], q[0], q[3]);
    this.bodies.SetPositionAndRotation(body.GetID(), this.place, this.turn, this.Jolt.EActivation_DontActivate);
  }

  step(timeStep) { this.jolt.Step(timeStep, 1); }

  /// Puts a body of the ground elsewhere. [m, rad]
  putBody(body, x, y, z, heading) {
    this.place.Set(y, z, x);
    this.turn.Set(0, Math.sin(0.5 * heading), 0, Math.cos(0.5 * heading));
    this.bodies.SetPositionAndRotation(body.GetID(), this.place, this.turn, this.Jolt.EActivation_DontActivate);
  }

  touching(vehicle, body) { return this.physics.WereBodiesInContact(vehicle.body.GetID(), body.GetID()); }

  /// All that changes: bodies, constraints and contacts as Jolt saves them; hands and feet, and the angles
  /// of the wheels, which Jolt does not save and a driver is told in the next frame. It belongs to this world: bodies and vehicles must be the same ones when it is restored.
  save() {
    const { Jolt } = this, parts = [], recorder = new Jolt.StateRecorderJS();
    let size = 0;
    recorder.WriteBytes = (at, bytes) => { parts.push(Jolt.HEAPU8.slice(at, at + bytes)); size += bytes; };
    recorder.IsEOF = recorder.IsFailed = () => false;
    this.physics.SaveState(recorder);
    Jolt.destroy(recorder);
    const hands = new Uint8Array(Float64Array.from(this.vehicles.flatMap((each) => each.hands())).buffer);
    const all = new Uint8Array(hands.length + size);
    all.set(hands);
    let at = hands.length;
    for (const part of parts) { all.set(part, at); at += part.length; }
    return all;
  }

  restore(bytes) {
    const { Jolt } = this, own = 8 * this.vehicles.reduce((sum, each) => sum + HANDS + each.wheelCount, 0), hands = new Float64Array(bytes.slice(0, own).buffer), recorder = new Jolt.StateRecorderJS();
    let at = own;
    recorder.ReadBytes = (to, count) => { Jolt.HEAPU8.set(bytes.subarray(at, at + count), to); at += count; };
    recorder.IsEOF = () => at >= bytes.length;
    recorder.IsFailed = () => false;
    const fine = this.physics.RestoreState(recorder);
    Jolt.destroy(recorder);
    if (!fine || at !== bytes.length) throw new Error('this snapshot is of another world');
    let first = 0;
    for (const each of this.vehicles) {
      each.setHands(hands.subarray(first, first + HANDS + each.wheelCount));
      first += HANDS + each.wheelCount;
    }
  }

  removeBody(body) {
    this.bodies.RemoveBody(body.GetID());
    this.bodies.DestroyBody(body.GetID());
  }

  destroy() {
    for (const vehicle of [...this.vehicles]) vehicle.destroy();
    this.Jolt.destroy(this.vec);
    this.Jolt.destroy(this.place);
    this.Jolt.destroy(this.turn);
    this.Jolt.destroy(this.jolt);
  }
}

// The rotation that turns z to a normal, by the shortest way.
function upTo(nx, ny, nz) {
  const w = 1 + nz, size = Math.hypot(-ny, nx, w) || 1;
  return [-ny / size, nx / size, 0, w / size];
}

// --------------------------------------------------------------------------- a vehicle

export class JoltVehicle {
  /// At rest; x, y, z on the ground under its middle, `normal` of that ground.
  constructor(world, design, x, y, z, heading, normal = [0, 0, 1]) {
    this.world = world;
    this.design = design;
    this.direction = 1;
    this.yawMax = 1; // of a tank: what full steering means [rad/s]
    this.steering = 0;
    this.gear = 0;
    this.shifting = 0;
    this.makeBody(x, y, z, heading, normal);
    this.makeConstraint();
    world.vehicles.push(this);
  }

  // How high the middle of the body is above the ground at rest: where the springs carry its weight.
  get restHeight() {
    const d = this.design, [least, most] = d.suspension;
    const sag = GRAVITY / (2 * Math.PI * d.frequency) ** 2;
    return d.radius + Math.max(least, most - sag) + d.hang;
  }

  makeBody(x, y, z, heading, normal) {
    const { Jolt, world } = { Jolt: this.world.Jolt, world: this.world }, d = this.design;
    world.vec.Set(0.5 * d.width * (d.kind === 'motorcycle' ? 0.5 : 1), 0.5 * d.bodyHeight, 0.5 * d.length * (d.kind === 'motorcycle' ? 0.4 : 1));
    const box = new Jolt.BoxShapeSettings(world.vec, 0.05), offset = new Jolt.Vec3(0, -d.massBelow, 0);
    const shape = new Jolt.OffsetCenterOfMassShapeSettings(offset, box).Create().Get();
    Jolt.destroy(offset);
    const up = upTo(...normal), yaw = [0, 0, Math.sin(0.5 * heading), Math.cos(0.5 * heading)], q = multiply(up, yaw), h = this.restHeight;
    world.place.Set(y + h * normal[1], z + h * normal[2], x + h * normal[0]);
    world.turn.Set(q[1], q[2], q[0], q[3]);
    const settings = new Jolt.BodyCreationSettings(shape, world.place, world.turn, Jolt.EMotionType_Dynamic, LAYER_MOVING);
    settings.mOverrideMassProperties = Jolt.EOverrideMassProperties_CalculateInertia;
    settings.mMassPropertiesOverride.mMass = d.mass;
    settings.mAllowSleeping = false;
    this.body = world.bodies.CreateBody(settings);
    Jolt.destroy(settings);
    world.bodies.AddBody(this.body.GetID(), Jolt.EActivation_Activate);
  }

  makeConstraint() {
    const { Jolt, physics } = this.world, d = this.design, settings = new Jolt.VehicleConstraintSettings();
    settings.mMaxPitchRollAngle = 60 * DEGREE;
    settings.mWheels.clear();
    const controller = d.kind === 'tracked' ? this.tracks(settings) : this.wheels(settings);
    settings.mController = controller;
    this.constraint = new Jolt.VehicleConstraint(this.body, settings);
    this.tester = d.kind === 'tracked' ? new Jolt.VehicleCollisionTesterRay(LAYER_MOVING) : new Jolt.VehicleCollisionTesterCastCylinder(LAYER_MOVING, d.kind === 'motorcycle' ? 1 : 0.05);
    this.constraint.SetVehicleCollisionTester(this.tester);
    const type = { wheeled: Jolt.WheeledVehicleController, tracked: Jolt.TrackedVehicleController, motorcycle: Jolt.MotorcycleController }[d.kind];
    this.controller = Jolt.castObject(this.constraint.GetController(), type);
    this.listener = new Jolt.VehicleConstraintStepListener(this.constraint);
    physics.AddConstraint(this.constraint);
    physics.AddStepListener(this.listener);
    this.wheelCount = d.kind === 'motorcycle' ? d.axles.length : 2 * d.axles.length;
  }

  spring(wheel) {
    const d = this.design;
    wheel.mSuspensionMinLength = d.suspension[0];
    wheel.mSuspensionMaxLength = d.suspension[1];
    wheel.mSuspensionSpring.mFrequency = d.frequency;
    wheel.mSuspensionSpring.mDamping = d.damping;
    wheel.mRadius = d.radius;
    wheel.mWidth = d.wheelWidth;
  }

  wheels(settings) {
    const { Jolt, vec } = this.world, d = this.design, bike = d.kind === 'motorcycle';
    for (const axle of d.axles)
      for (const side of bike ? [0] : [1, -1]) { // left, right: left is Jolt's x
        const wheel = new Jolt.WheelSettingsWV();
        vec.Set(0.5 * d.track * side, -d.hang, axle.x);
        wheel.mPosition = vec;
        wheel.mMaxSteerAngle = axle.steers ? d.lock : 0;
        wheel.mMaxBrakeTorque = bike && !axle.steers ? 250 : d.brake;
        wheel.mMaxHandBrakeTorque = axle.steers ? 0 : d.handbrake;
        this.spring(wheel);
        if (bike && axle.steers) this.rake(wheel);
        settings.mWheels.push_back(wheel);
      }
    const controller = bike ? new Jolt.MotorcycleControllerSettings() : new Jolt.WheeledVehicleControllerSettings();
    this.engine(controller);
    const driven = d.axles.map((axle, i) => ({ axle, i })).filter(({ axle }) => axle.drives);
    for (const { i } of driven) {
      const differential = new Jolt.VehicleDifferentialSettings();
      differential.mLeftWheel = bike ? -1 : 2 * i;
      differential.mRightWheel = bike ? i : 2 * i + 1;
      differential.mEngineTorqueRatio = 1 / driven.length;
      if (d.ratio) differential.mDifferentialRatio = d.ratio;
      controller.mDifferentials.push_back(differential);
    }
    if (d.rolls)
      for (let i = 0; i < d.axles.length; i++) {
        const bar = new Jolt.VehicleAntiRollBar();
        bar.mLeftWheel = 2 * i;
        bar.mRightWheel = 2 * i + 1;
        bar.mStiffness = 1000 * d.mass / 1500;
        settings.mAntiRollBars.push_back(bar);
      }
    return controller;
  }

  // The front fork of the sample: 30 degrees of caster.
  rake(wheel) {
    const { vec } = this.world, angle = 30 * DEGREE;
    vec.Set(0, -1, Math.tan(angle));
    const size = Math.hypot(1, Math.tan(angle));
    vec.Set(0, -1 / size, Math.tan(angle) / size);
    wheel.mSuspensionDirection = vec;
    vec.Set(0, 1 / size, -Math.tan(angle) / size);
    wheel.mSteeringAxis = vec;
  }

  engine(controller) {
    const d = this.design, transmission = controller.mTransmission;
    controller.mEngine.mMaxTorque = d.torque;
    if (d.rpm) { controller.mEngine.mMinRPM = d.rpm[0]; controller.mEngine.mMaxRPM = d.rpm[1]; }
    if (d.gears) {
      transmission.mGearRatios.clear();
      for (const ratio of d.gears) transmission.mGearRatios.push_back(ratio);
      transmission.mReverseGearRatios.clear();
      for (const ratio of d.reverse) transmission.mReverseGearRatios.push_back(ratio);
    }
    if (d.shift) { transmission.mShiftUpRPM = d.shift[0]; transmission.mShiftDownRPM = d.shift[1]; }
    else if (d.rpm) { transmission.mShiftUpRPM = 0.68 * d.rpm[1]; transmission.mShiftDownRPM = 0.35 * d.rpm[1]; }
    if (d.manual) transmission.mMode = this.world.Jolt.ETransmissionMode_Manual;
    if (d.kind === 'motorcycle') transmission.mClutchStrength = 2;
    else if (d.kind === 'wheeled') transmission.mClutchStrength = d.clutch ?? 10;
  }

  tracks(settings) {
    const { Jolt, vec } = this.world, d = this.design, controller = new Jolt.TrackedVehicleControllerSettings();
    const all = [[], []];
    for (const side of [0, 1]) // left, right
      d.axles.forEach((axle, i) => {
        const wheel = new Jolt.WheelSettingsTV(), end = i === 0 || i === d.axles.length - 1;
        vec.Set(side === 0 ? 0.5 * d.track : -0.5 * d.track, 0, axle.x);
        wheel.mPosition = vec;
        this.spring(wheel);
        if (end) wheel.mSuspensionMaxLength = d.suspension[0]; // sprocket and idler do not touch the ground
        all[side].push(settings.mWheels.size());
        settings.mWheels.push_back(wheel);
      });
    for (const side of [0, 1]) {
      const track = controller.get_mTracks(side);
      track.mDrivenWheel = all[side][all[side].length - 1];
      track.mWheels.clear();
      for (const index of all[side]) track.mWheels.push_back(index);
    }
    return controller;
  }

  // ------------------------------------------------------------------------- pedals and wheel

  /// Presses what kerb_controls says. Nothing is fitted to the driver: throttle goes to the engine in
  /// the direction of the gear, the wheel to the steering.
  press(throttle, brake, steering, gear, handbrake, timeStep, clutch = 0) {
    if (gear !== 0) this.direction = gear < 0 ? -1 : 1;
    const forward = gear === 0 ? 0 : throttle * this.direction, most = (this.steerRate ?? STEER_SPEED) * timeStep;
    this.steering += Math.min(most, Math.max(-most, steering - this.steering));
    steering = this.steering;
    if (this.design.manual) this.shift(gear, throttle, clutch, timeStep);
    if (this.design.kind === 'tracked') this.pressTracks(forward, handbrake ? Math.max(brake, 1) : brake, steering);
    else this.controller.SetDriverInput(forward, -steering, brake, handbrake ? 1 : 0);
  }

  // Gears by hand: no drive while a shift lasts. Without throttle the clutch opens by itself near idle
  // speed, as every driver does; Jolt's engine never stalls and would push on against the brakes.
  shift(gear, throttle, clutch, timeStep) {
    if (gear !== this.gear) { this.gear = gear; this.shifting = SHIFT_TIME; }
    this.shifting = Math.max(0, this.shifting - timeStep);
    const stalls = throttle < 0.01 && this.controller.GetEngine().GetCurrentRPM() < STALL * this.design.rpm[0];
    this.controller.GetTransmission().Set(gear, this.shifting > 0 || gear === 0 || stalls ? 0 : 1 - clutch);
  }

  // A tank turns by the ratio of its tracks' speeds. What steering means is a yaw rate, so the ratio is
  // the one that gives it at the present speed. Jolt's tracks keep to their ratio only while the engine
  // turns them, so that it gets a little throttle in every bend. On the spot the tracks turn against each
  // other, with as much throttle as the yaw rate lacks.
  pressTracks(forward, brake, steering) {
    const speed = this.forwardSpeed(), wanted = steering * this.yawMax, turn = 0.5 * this.design.track * wanted;
    const turns = Math.abs(steering) > 0.01;
    if (turns && Math.abs(forward) < 0.05 && Math.abs(speed) < PIVOT_SPEED) {
      const lacks = Math.sign(steering) * (wanted - this.body.GetAngularVelocity().GetY());
      this.controller.SetDriverInput(Math.min(1, Math.max(0, 0.4 + 2 * lacks)), steering > 0 ? -1 : 1, steering > 0 ? 1 : -1, 0);
      return;
    }
    const way = forward < 0 || (forward === 0 && speed < 0) ? -1 : 1, reference = Math.max(Math.abs(speed), PIVOT_SPEED);
    const left = Math.max(0.05 * reference, reference - way * turn), right = Math.max(0.05 * reference, reference + way * turn), most = Math.max(left, right);
    const throttle = turns ? way * Math.max(Math.abs(forward), TURN_THROTTLE) : forward;
    // Braked tracks take no drive, so a light brake gives way to a turn, which slows it as well.
    this.controller.SetDriverInput(throttle, left / most, right / most, Math.abs(steering) > 0.05 && brake < LIGHT_BRAKE ? 0 : brake);
  }

  forwardSpeed() {
    const q = this.body.GetRotation(), v = this.body.GetLinearVelocity();
    // Jolt's z in the world.
    const x = q.GetX(), y = q.GetY(), z = q.GetZ(), w = q.GetW();
    return v.GetX() * 2 * (x * z + w * y) + v.GetY() * 2 * (y * z - w * x) + v.GetZ() * (1 - 2 * (x * x + y * y));
  }

  // ------------------------------------------------------------------------- what a driver is told

  /// Position, rotation, velocity, angular velocity, steering, gear, engine speed, slip: 17 numbers.
  motion(out) {
    const body = this.body, p = body.GetPosition(), q = body.GetRotation(), w = body.GetAngularVelocity();
    const px = p.GetZ(), py = p.GetX(), pz = p.GetY();
    out[3] = q.GetZ(); out[4] = q.GetX(); out[5] = q.GetY(); out[6] = q.GetW();
    // The reference point lies on the ground at rest, and moves with the body.
    const h = this.restHeight, ux = 2 * (out[3] * out[5] + out[6] * out[4]), uy = 2 * (out[4] * out[5] - out[6] * out[3]), uz = 1 - 2 * (out[3] * out[3] + out[4] * out[4]);
    out[0] = px - h * ux; out[1] = py - h * uy; out[2] = pz - h * uz;
    this.world.place.Set(out[1], out[2], out[0]);
    out[10] = w.GetZ(); out[11] = w.GetX(); out[12] = w.GetY();
    const v = this.world.bodies.GetPointVelocity(body.GetID(), this.world.place);
    out[7] = v.GetZ(); out[8] = v.GetX(); out[9] = v.GetY();
    out[13] = this.design.kind === 'tracked' ? 0 : this.constraint.GetWheel(0).GetSteerAngle() / this.design.lock;
    const gear = this.controller.GetTransmission().GetCurrentGear();
    // The gearbox says 0 at rest and while it shifts: then the direction that is selected counts.
    out[14] = this.design.manual ? (this.shifting > 0 ? 0 : this.gear) : gear > 0 ? 1 : gear < 0 ? -1 : this.direction;
    out[15] = this.controller.GetEngine().GetCurrentRPM() * 2 * Math.PI / 60;
    out[16] = 0;
    return out;
  }

  // What Jolt does not save: the directions that were selected, and the angles of the wheels.
  hands() {
    const angles = Array.from({ length: this.wheelCount }, (_, i) => this.constraint.GetWheel(i).GetSteerAngle());
    return [this.direction, this.steering, this.gear, this.shifting, ...angles];
  }
  setHands(hands) {
    [this.direction, this.steering, this.gear, this.shifting] = hands;
    for (let i = 0; i < this.wheelCount; i++) this.constraint.GetWheel(i).SetSteerAngle(hands[HANDS + i]);
  }

  wheelAngle() { return this.design.kind === 'tracked' ? 0 : this.constraint.GetWheel(0).GetSteerAngle(); }
  wheelRoll(axle) { return this.constraint.GetWheel(this.design.kind === 'motorcycle' ? axle : 2 * axle).GetRotationAngle(); }

  /// At rest elsewhere.
  put(x, y, z, heading) {
    const { world } = this, h = this.restHeight;
    world.place.Set(y, z + h, x);
    world.turn.Set(0, Math.sin(0.5 * heading), 0, Math.cos(0.5 * heading));
    world.vec.Set(0, 0, 0);
    world.bodies.SetPositionRotationAndVelocity(this.body.GetID(), world.place, world.turn, world.vec, world.vec);
    this.direction = 1;
    this.steering = 0;
  }

  destroy() {
    const { Jolt, physics } = this.world;
    physics.RemoveStepListener(this.listener);
    physics.RemoveConstraint(this.constraint);
    Jolt.destroy(this.listener);
    this.world.removeBody(this.body);
    this.world.vehicles = this.world.vehicles.filter((each) => each !== this);
  }
}

function multiply(a, b) {
  return [a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1], a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0],
    a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3], a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2]];
}
