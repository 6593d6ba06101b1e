// The build of the page: into the package of the server, each file also compressed.
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { build, defineConfig, type Plugin, type Rollup } from "vite";

const OUT = "../rookery_server/web";
const TARGET = "es2022";
const FIRST = "<!-- first -->"; // where the first script goes in the page

/** Leaves a `.br` and a `.gz` beside each file, which the server sends to who takes them. */
function compressed(folder: string): Plugin {
  return {
    name: "compressed",
    apply: "build",
    closeBundle() {
      for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
        const path = join(folder, name);
        if (!statSync(path).isFile() || /\.(br|gz|png)$/.test(path)) continue;
        if (existsSync(`${path}.br`)) continue; // of the page that was built before
        const body = readFileSync(path);
        const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY };
        writeFileSync(`${path}.br`, brotliCompressSync(body, { params }));
        writeFileSync(`${path}.gz`, gzipSync(body, { level: 9 }));
      }
    },
  };
}

/** Writes the first script into the page: it need not be loaded, and waits for nothing. */
function written(): Plugin {
  return {
    name: "written",
    apply: "build",
    async transformIndexHtml(html) {
      if (!html.includes(FIRST)) return html;
      const lib = { entry: "src/first.ts", formats: ["iife" as const], name: "first" };
      const made = await build({
        configFile: false,
        logLevel: "warn",
        build: { lib, target: TARGET, write: false, minify: true },
      });
      const [{ output }] = made as [Rollup.RollupOutput];
      return html.replace(FIRST, () => `<script>${output[0].code.trim()}</script>`);
    },
  };
}

/** Has what the first script asks for only later be loaded beside it. */
function preloaded(): Plugin {
  return {
    name: "preloaded",
    apply: "build",
    transformIndexHtml: {
      order: "post",
      handler(_, { bundle, chunk }) {
        const files = new Set<string>();
        const visit = (name: string) => {
          const found = bundle?.[name];
          if (found?.type !== "chunk" || files.has(name)) return;
          files.add(name);
          for (const each of found.imports) visit(each);
        };
        for (const each of chunk?.dynamicImports ?? []) visit(each);
        const known = new Set([chunk?.fileName, ...(chunk?.imports ?? [])]);
        return [...files]
          .filter((name) => !known.has(name))
          .map((name) => ({
            tag: "link",
            attrs: { rel: "modulepreload", crossorigin: true, href: `/${name}` },
            injectTo: "head" as const,
          }));
      },
    },
  };
}

// Each page is built by itself (`--mode admin`): what both have in common would be one more file
// to wait for, and browsers ask a server for six at a time.
export default defineConfig(({ mode }) => ({
  base: "/",
  build: {
    outDir: OUT,
    emptyOutDir: mode !== "admin",
    target: TARGET,
    rolldownOptions: {
      input: mode === "admin" ? "admin.html" : "index.html",
      preserveEntrySignatures: "allow-extension" as const,
    },
    // All that a chunk needs is in the page: nothing has to be found out while it runs.
    modulePreload: {
      polyfill: false,
      resolveDependencies: (_, files, { hostType }) => (hostType === "html" ? files : []),
    },
    // One file each: the server closes a connection after each answer.
    cssCodeSplit: false,
    assetsInlineLimit: 8192,
  },
  plugins: [written(), preloaded(), compressed(OUT)],
}));
