// Writes C: the glue of a module, and the program whose numbers are the layout of all structs.
//
// The glue exists because structs go by value in Kerb's interface. Each glue function takes and
// gives structs by address: results are written through its first parameter. The host's services
// are those of kerb_host_default. 64-bit numbers go as doubles, exact up to 2^53.

const isHost = (parameter) => parameter.type === 'kerb_host' && parameter.pointer;

// How a parameter is declared in the glue, and how it is passed on.
function passed(parameter, structs) {
    const { type, name, pointer, constant } = parameter;
    if (pointer)
        return { declared: `${constant ? 'const ' : ''}${type}${'*'.repeat(pointer)} ${name}`, given: name };
    if (structs.has(type))
        return { declared: `const ${type}* ${name}`, given: `*${name}` };
    if (type === 'uint64_t')
        return { declared: `double ${name}`, given: `(uint64_t)${name}` };
    return { declared: `${type} ${name}`, given: name };
}

/** Name under which a module exports a function: without `kerb_`. */
export const exported = (name) => name.replace(/^kerb_/, '');

function glueOf(one, structs) {
    const parameters = one.parameters.filter((p) => !isHost(p)).map((p) => passed(p, structs));
    const given = one.parameters.map((p) => (isHost(p) ? '&host' : passed(p, structs).given));
    const call = `${one.name}(${given.join(', ')})`;
    const lines = one.parameters.some(isHost) ? ['    kerb_host host = kerb_host_default();'] : [];
    let type = one.type + (one.pointer ? '*' : '');
    if (!one.pointer && structs.has(one.type)) {
        parameters.unshift({ declared: `${one.type}* result` });
        type = 'void';
        lines.push(`    *result = ${call};`);
    } else {
        lines.push(`    ${type === 'void' ? '' : 'return '}${call};`);
    }
    const constant = type === 'char*' || (one.pointer && one.type !== 'void') ? 'const ' : '';
    return `__attribute__((export_name("${exported(one.name)}")))
${constant}${type} js_${exported(one.name)}(${parameters.map((p) => p.declared).join(', ') || 'void'}) {
${lines.join('\n')}
}
`;
}

/** The glue of a module that has these functions. */
export function emitGlue(functions, structs, layoutId) {
    return `// Written by bindings/js/build.mjs.
#include "kerb/kerb.h"

#include <stdlib.h>

__attribute__((export_name("layout"))) uint32_t js_layout(void) {
    return ${layoutId}u;
}

void kerb_assert_failed(const char* condition, const char* file, int line) {
    (void)condition;
    (void)file;
    (void)line;
    __builtin_trap();
}

// Zeroed, so that nothing ever depends on what lay there before.
__attribute__((export_name("allocate"))) void* js_allocate(size_t size) {
    return calloc(1, size);
}

__attribute__((export_name("release"))) void js_release(void* memory) {
    free(memory);
}

${functions.map((one) => glueOf(one, structs)).join('\n')}`;
}

/** A program that holds sizes and offsets, as the compiler says, and where the settings tables are. */
export function emitLayout({ structs, enums, tables, scalars }) {
    const numbers = [];
    for (const { name, fields } of structs.values()) {
        numbers.push(`sizeof(${name}), _Alignof(${name})`);
        for (const field of fields) {
            const at = `((${name}*)0)->${field.name}`;
            const count = field.array ? `sizeof(${at}) / sizeof(${at}[0])` : '1';
            numbers.push(`offsetof(${name}, ${field.name}), ${count}`);
        }
    }
    const checks = [...enums.values()].flatMap(({ values }) =>
        values.map(({ constant, value }) => `_Static_assert(${constant} == ${value}, "enum");`));
    // Every scalar type is as wide as the binding reads it.
    const widths = { f32: 4, f64: 8, i32: 4, u32: 4, u8: 1, bool: 1, u64: 8, char: 1 };
    for (const [type, kind] of Object.entries(scalars))
        checks.push(`_Static_assert(sizeof(${type}) == ${widths[kind]}, "width");`);
    return `// Written by bindings/js/build.mjs.
#include "kerb/kerb.h"

${checks.join('\n')}

static const uint32_t numbers[] = {
    ${numbers.join(',\n    ')},
};
static const kerb_settings_table* const tables[] = {
    ${[...tables.keys()].map((name) => `&${name}`).join(',\n    ')},
};

__attribute__((export_name("numbers"))) const uint32_t* js_numbers(void) {
    return numbers;
}

__attribute__((export_name("tables"))) const kerb_settings_table* const* js_tables(void) {
    return tables;
}

__attribute__((export_name("setting_size"))) uint32_t js_setting_size(void) {
    return sizeof(kerb_setting);
}
`;
}
