// Makes TypeScript of the schema and of every operation, and has the compiler check it together with a use of it.
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { spawnSync } from "node:child_process";
import { codegen } from "@graphql-codegen/core";
import * as typescript from "@graphql-codegen/typescript";
import * as operations from "@graphql-codegen/typescript-operations";
import { buildSchema, parse, visit } from "graphql";

const root = new URL("../../", import.meta.url);
const text = (path) => readFileSync(new URL(path, root), "utf-8");
const schema = parse(text("graphql/schema.graphql"));
const names = readdirSync(new URL("graphql/operations", root)).filter((name) => name.endsWith(".graphql"));
const scalars = { DateTime: "string", JSON: "unknown", UUID: "string" };

// A fragment stands in each file that needs it, so that a file can be sent as it is; here once is enough.
const known = new Set();
const documents = names.map((name) => ({
  location: name,
  document: visit(parse(text(`graphql/operations/${name}`)), {
    FragmentDefinition(node) {
      if (known.has(node.name.value)) return null;
      known.add(node.name.value);
    },
  }),
}));

const made = await codegen({
  filename: "types.ts",
  schema,
  schemaAst: buildSchema(text("graphql/schema.graphql")),
  documents,
  config: { scalars, strictScalars: false, enumsAsTypes: true, immutableTypes: true },
  plugins: [{ typescript: {} }, { operations: {} }],
  pluginMap: { typescript, operations },
});

const folder = new URL("made/", import.meta.url);
mkdirSync(folder, { recursive: true });
writeFileSync(new URL("types.ts", folder), made);
console.log(`${names.length} operations`);
const checked = spawnSync(
  "node_modules/.bin/tsc",
  ["--noEmit", "--strict", "--skipLibCheck", "--module", "nodenext", "--target", "es2022", "--allowImportingTsExtensions", "uses.ts"],
  { cwd: new URL(".", import.meta.url), stdio: "inherit" },
);
process.exit(checked.status);
