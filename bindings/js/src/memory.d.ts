/** An error of Kerb. */
export declare class KerbError extends Error {
    constructor(message: string, details?: { result?: string; field?: string; index?: number; line?: number });
    /** What is wrong, without the place: "must be greater than 0". */
    readonly reason: string;
    /** Its kind in words: "out of range", "not a finite number", "too few", "unknown field", … */
    readonly result: string;
    /** Name of the field as in C, such as "position.x"; may be empty. */
    readonly field: string;
    /** Index of the item (waypoint, gear, …); -1: no item. */
    readonly index: number;
    /** Line in a text, from 1; 0: there is no text. */
    readonly line: number;
}

/** A struct in the module's memory: reading and writing its fields copies and allocates nothing. */
export declare class View {
    /** Its address in the module's memory; 0 after free(). */
    readonly ptr: number;
    /** Writes the fields of a plain object, a list of numbers in the order of the fields, or a view. */
    assign(values: object): this;
    /** A plain object with the same values. */
    toJSON(): any;
    /**
     * Releases the memory of an object that was made with `new`. Do not use it afterwards. Objects that
     * are lost without it are released some time after the garbage collector finds them.
     */
    free(): void;
}

/** Structs of one type, one after another. */
export declare class StructList<T> implements Iterable<T> {
    readonly ptr: number;
    readonly length: number;
    /** View of an item: the same object for the same index. */
    at(index: number): T;
    assign(values: Iterable<object>): this;
    toJSON(): any[];
    [Symbol.iterator](): Iterator<T>;
    free(): void;
}

/** Numbers of one type, one after another. */
export declare class NumberList implements Iterable<number> {
    readonly ptr: number;
    readonly length: number;
    /** A typed array on the memory. Valid until an object is created: ask again then. */
    readonly array: Float32Array | Float64Array | Int32Array | Uint32Array | Uint8Array;
    at(index: number): number;
    set(index: number, value: number): void;
    assign(values: Iterable<number>): this;
    toJSON(): number[];
    [Symbol.iterator](): Iterator<number>;
    free(): void;
}

/** One row of a settings table: all that a slider needs. */
export interface Setting {
    /** As a property: 'speed', 'speedControl.integral', 'gearRatio[0]'. */
    readonly name: string;
    /** As in C: 'speed_control.integral'. */
    readonly field: string;
    readonly type: 'number' | 'whole number' | 'choice';
    /** 'm', 'm/s', …; '1': no unit. */
    readonly unit: string;
    readonly min: number;
    readonly max: number;
    readonly defaultValue: number;
    /** Names of the values of a choice, else null. */
    readonly choices: readonly string[] | null;
    readonly meaning: string;
}

/** Settings by name. Setters throw a KerbError with the field for a value that is not allowed. */
export declare class Settings extends View {
    readonly rows: readonly Setting[];
    /** Value by name: get('speed'), get('speedControl.integral') or get('speed_control.integral'). */
    get(name: string): number;
    /** Checks and writes; a choice may be given by its name. */
    set(name: string, value: number | string): this;
    /** Writes all defaults of the table. */
    reset(): this;
}
