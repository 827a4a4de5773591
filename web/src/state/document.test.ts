import { expect, it } from 'vitest'
import { copiedText, documentText } from './document'

// Pages keep their numbers, and empty ones are not shown.
it('has the pages of a text', () => {
  const text = documentText('First\n\f \fThird\f')
  expect(text.pages).toEqual([{ number: 1, text: 'First' }, { number: 3, text: 'Third' }])
  expect(text.cut).toBe(false)
  expect(copiedText(text)).toBe('First\n\n \nThird')
  expect(documentText('').pages).toEqual([])
  expect(documentText(' \f\n').pages).toEqual([])
})

// However long it is, the page draws but the beginning; what is copied is all of it.
it('cuts what is too long to draw', () => {
  expect(documentText('12345\f678', 8)).toMatchObject({ pages: [{ text: '12345' }, { text: '678' }], cut: false })
  expect(documentText('12345\f678', 7)).toMatchObject({ pages: [{ text: '12345' }, { text: '67' }], cut: true })
  const exact = documentText('12345\f678', 5)
  expect(exact).toMatchObject({ pages: [{ number: 1, text: '12345' }], cut: true })
  expect(copiedText(exact)).toBe('12345\n678')
})
