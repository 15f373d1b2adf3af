import { describe, expect, it } from 'vitest';
import { looksLikeHtml, rootElement } from './text-content.ts';

const COMMENTS = '<!-- a -->\n'.repeat(400);

describe('looksLikeHtml', () => {
  it('refuses a text after hundreds of comments in linear time', () => {
    expect(looksLikeHtml(`${COMMENTS}hi`)).toBe(false);
  });

  it.each([
    ['<!DOCTYPE html>', true],
    ['\ufeff \n<html lang="de">', true],
    ['<?xml version="1.0"?>\n<!-- one --> <!-- two --><!doctype html>', true],
    [`${COMMENTS}<html>`, true],
    ['<!-- never closed <html>', false],
    ['<htmlx>', false],
    ['<!doctype htmlx>', false],
    ['text <html>', false],
  ])('decides whether %j is a page: %j', (text, page) => {
    expect(looksLikeHtml(text)).toBe(page);
  });
});

describe('rootElement', () => {
  it.each([
    ['<svg xmlns="http://www.w3.org/2000/svg">', 'svg'],
    ['<?xml version="1.0"?>\n<!-- c --><SVG:svg/>', 'svg'],
    ['<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "svg11.dtd">\n<svg>', 'svg'],
    ['<!DOCTYPE svg [ <!ENTITY a "]"> <!ENTITY b "1>2"> ] >\n<svg>', 'svg'],
    ['<!DOCTYPE svg [ <!ENTITY a "b">', undefined],
    ['<!-- never closed <svg>', undefined],
    ['plain text', undefined],
    [`${COMMENTS}<note>`, 'note'],
  ])('for %j is %j', (text, name) => {
    expect(rootElement(text)).toBe(name);
  });
});
