// Renders Markdown in a browser as GitHub does, as far as that can be had, and
// tells what became of it.
//
//   node scripts/render.mjs MODULES < requests.json > answers.json
//
// MODULES is the folder that scripts/render-tools prints. A request is
// {name, markdown, shots}, shots being the folder for screenshots or "". The
// answer to each is what the browser made of the page, before and after
// sanitising: its elements with their attributes, its comments, the texts
// outside of code and links, and what it asked the network for or ran.
import { text } from "node:stream/consumers";
import { createRequire } from "node:module";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const modules = process.argv[2];
const requests = JSON.parse(await text(process.stdin));
const require = createRequire(join(modules, "package.json"));
const load = async (name) => import(pathToFileURL(require.resolve(name)));
const { unified } = await load("unified");
const [parse, gfm, rehype, raw, stringify, sanitize] = await Promise.all(
  ["remark-parse", "remark-gfm", "remark-rehype", "rehype-raw", "rehype-stringify", "rehype-sanitize"].map(load));
const { chromium } = require("playwright-core");
const css = readFileSync(require.resolve("github-markdown-css/github-markdown.css"), "utf8");

// The schema of rehype-sanitize follows the one of GitHub.
function html(markdown, clean) {
  const steps = unified().use(parse.default).use(gfm.default).use(rehype.default, { allowDangerousHtml: true }).use(raw.default);
  if (clean) steps.use(sanitize.default);
  return String(steps.use(stringify.default).processSync(markdown));
}

const page = (body, width) => `<!doctype html><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<style>${css}
:root { color-scheme: light dark }
body { margin: 0; background: light-dark(#ffffff, #0d1117) }
.markdown-body { box-sizing: border-box; max-width: ${width > 800 ? 900 : width}px; margin: 0 auto; padding: 16px; font-size: 14px }
</style><article class="markdown-body">${body}</article>`;

// facts runs in the browser.
function facts() {
  const elements = [], comments = [], texts = [];
  const root = document.querySelector("article");
  const walk = (node, quiet) => {
    for (const child of node.childNodes) {
      if (child.nodeType === Node.COMMENT_NODE) comments.push(child.data);
      if (child.nodeType === Node.TEXT_NODE && !quiet) texts.push(child.data);
      if (child.nodeType !== Node.ELEMENT_NODE) continue;
      const attributes = {};
      for (const a of child.attributes) attributes[a.name] = a.value;
      elements.push({ name: child.localName, attributes });
      walk(child, quiet || ["code", "pre", "a"].includes(child.localName));
    }
  };
  walk(root, false);
  return { elements, comments, texts, outside: document.body.children.length !== 1, ran: window.ran === true, title: document.title };
}

const profile = mkdtempSync(join(tmpdir(), "sealmark-chromium-"));
const browser = await chromium.launchPersistentContext(profile, {
  executablePath: readFileSync(join(modules, "browser"), "utf8").trim(), headless: true,
  args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
});
const answers = [];
try {
  const tab = await browser.newPage();
  let asked = [];
  await tab.route("**", (route) => { asked.push(route.request().url()); return route.abort(); });
  tab.on("dialog", (dialog) => { asked.push("dialog: " + dialog.message()); return dialog.dismiss(); });
  for (const { name, markdown, shots } of requests) {
    const answer = { name };
    for (const clean of [false, true]) {
      asked = [];
      await tab.setContent(page(html(markdown, clean), 1200));
      answer[clean ? "after" : "before"] = { ...(await tab.evaluate(facts)), asked };
    }
    for (const width of [375, 1200]) {
      for (const scheme of ["light", "dark"]) {
        await tab.setViewportSize({ width, height: 800 });
        await tab.emulateMedia({ colorScheme: scheme });
        await tab.setContent(page(html(markdown, true), width));
        // Nothing but what scrolls by itself is wider than the page.
        answer.widest = Math.max(answer.widest ?? 0, await tab.evaluate(() => document.documentElement.scrollWidth - window.innerWidth));
        if (!shots) continue;
        const shot = (state) => tab.screenshot({ path: join(shots, `${name}-${width}-${state}.png`), timeout: 120000 });
        await tab.setViewportSize({ width, height: await tab.evaluate(() => Math.min(2400, document.documentElement.scrollHeight)) });
        await shot(scheme);
        if (scheme === "dark") continue;
        await tab.evaluate(() => { for (const d of document.querySelectorAll("details")) d.open = true; });
        await tab.setViewportSize({ width, height: await tab.evaluate(() => Math.min(2400, document.documentElement.scrollHeight)) });
        await shot("open");
      }
    }
    answers.push(answer);
  }
} finally {
  await browser.close();
  rmSync(profile, { recursive: true, force: true });
}
process.stdout.write(JSON.stringify(answers));
