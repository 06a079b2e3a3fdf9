// Run by Node while the book is built: a book's sections in, what a page needs to search them out.

import { json } from "node:stream/consumers";
import { indexed } from "./index.js";

/** @type {any} */
const book = await json(process.stdin);
const index = indexed(book);
const sections = book.sections.map((/** @type {any[]} */ row) => row.slice(0, 4));
process.stdout.write(JSON.stringify({ ...book, sections, index }));
