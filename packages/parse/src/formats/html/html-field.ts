import { attribute, type HtmlElement, isElement } from './html-attributes.ts';
import { visibleText } from './html-leaf.ts';

/** Returns the text of a form control: its value, the selected options, or whether it is checked. */
export function fieldText(element: HtmlElement): string {
  switch (element.tagName) {
    case 'input':
      return inputText(element);
    case 'select':
      return selectedOptions(element).join(', ');
    default:
      return visibleText(element);
  }
}

function inputText(element: HtmlElement): string {
  const type = attribute(element, 'type')?.toLowerCase() ?? 'text';
  if (type === 'checkbox' || type === 'radio') return attribute(element, 'checked') === undefined ? '[ ]' : '[x]';
  return attribute(element, 'value') ?? '';
}

function selectedOptions(select: HtmlElement): string[] {
  const options = optionsOf(select);
  const chosen = options.filter((option) => attribute(option, 'selected') !== undefined);
  const shown = chosen.length > 0 || attribute(select, 'multiple') !== undefined ? chosen : options.slice(0, 1);
  return shown.map((option) => visibleText(option).trim());
}

function optionsOf(select: HtmlElement): HtmlElement[] {
  return select.childNodes.filter(isElement).flatMap((child) => {
    if (child.tagName === 'option') return [child];
    return child.tagName === 'optgroup' ? child.childNodes.filter(isElement) : [];
  });
}
