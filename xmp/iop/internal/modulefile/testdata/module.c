/* A module as darktable's are, whose tables are partly filled in by its code. It is
   compiled for systems and processors whose darktable cannot be had here:

     scripts/test-modules

   Layouts of structures as in darktable's introspection: facts, not code. */
#if defined(_WIN32)
#define PUBLIC __declspec(dllexport)
#else
#define PUBLIC __attribute__((visibility("default")))
#endif

typedef unsigned long long word;

typedef struct {
  int type;
  const char *type_name, *name, *field_name, *description;
  word size, offset;
  void *so;
} header;

typedef struct { const char *name; int value; const char *description; } constant;

typedef union field {
  header head;
  struct { header head; float min, max, value; } number;
  struct { header head; int min, max, value; } whole;
  struct { header head; int value; } truth;
  struct { header head; word count; int type; union field *element; } array;
  struct { header head; word count; constant *values; int value; } choice;
  struct { header head; word count; union field **members; } structure;
} field;

enum { FLOAT = 2, INT = 10, BOOL = 14, ARRAY = 15, ENUM = 16, STRUCT = 17 };

typedef struct { float strength; int passes, on, mode; struct { float x, y; } node[3]; } params;

static constant modes[] = { { "MODE_SOFT", 0, "soft" }, { "MODE_HARD", 2, "hard" }, { 0, 0, 0 } };

#define HEAD(type, ctype, name, text, size, offset) { type, ctype, name, name, text, size, offset, 0 }

static field linear[] = {
  { .number = { HEAD(FLOAT, "float", "strength", "how strong", 4, 0), 0.0f, 2.5f, 0.5f } },
  { .whole = { HEAD(INT, "int", "passes", "", 4, 4), 1, 8, 2 } },
  { .truth = { HEAD(BOOL, "gboolean", "on", "", 4, 8), 1 } },
  { .choice = { HEAD(ENUM, "mode_t", "mode", "the mode", 4, 12), 2, 0, 2 } },
  { .number = { HEAD(FLOAT, "float", "x", "", 4, 16), 0.0f, 1.0f, 0.0f } },
  { .number = { HEAD(FLOAT, "float", "y", "", 4, 20), 0.0f, 1.0f, 1.0f } },
  { .structure = { HEAD(STRUCT, "node_t", "node[0]", "", 8, 16), 2, 0 } },
  { .array = { HEAD(ARRAY, "node_t[3]", "node", "", 24, 16), 3, STRUCT, &linear[6] } },
  { .structure = { HEAD(STRUCT, "params_t", "", "", sizeof(params), 0), 5, 0 } },
  { .head = { 0 } },
};

static field *in_node[] = { &linear[4], &linear[5], 0 };
static field *in_params[] = { &linear[0], &linear[1], &linear[2], &linear[3], &linear[7], 0 };

static struct { int api, version; const char *type; word size; field *whole; word module, defaults; } tables = {
  8, 3, "params_t", sizeof(params), &linear[8], 2000, 800
};

PUBLIC int dt_module_mod_version(void) { return 3; }
PUBLIC int flags(void) { return 0x40002; }
PUBLIC const char *translate(const char *domain, const char *message, int category);
PUBLIC const char *name(void) { return translate(0, "test module", 5); }
PUBLIC void *get_introspection(void) { return &tables; }

PUBLIC int introspection_init(void *self, int api)
{
  if(tables.api != 8 || api != 8) return 1;
  for(int i = 0; i < 9; i++) linear[i].head.so = self;
  linear[3].choice.values = modes;
  linear[6].structure.members = in_node;
  linear[8].structure.members = in_params;
  return 0;
}
