/**
 * Short texts on unrelated subjects. The cosines of a query with them are the background against which the cosine of a
 * hit is judged, so that scores of any embedding model become comparable (`@quire/search/relevance`). Changing a text
 * changes the relevance of all hits: fit the coefficients again.
 */
export const BACKGROUND_TEXTS: readonly string[] = [
  'The bakery opens at six and sells the first loaves while they are still warm.',
  'A severe storm damaged the roof of the town hall last night.',
  'The patient reported mild pain in the left knee after running.',
  'Interest on the loan is payable at the end of every quarter.',
  'The violin was built in the eighteenth century and restored twice.',
  'Mix the flour with butter and sugar, then bake for forty minutes.',
  'The goalkeeper saved two penalties in the second half.',
  'Whales migrate thousands of kilometres between feeding and breeding grounds.',
  'The court dismissed the appeal because it was filed too late.',
  'Tighten the four screws of the cover before you connect the power.',
  'Her second novel tells the story of three sisters in a mountain village.',
  'The railway line between the two cities will be closed for repairs in August.',
  'Children under twelve travel free when accompanied by an adult.',
  'The experiment was repeated at a temperature of 300 kelvin.',
  'Prices of wheat rose by four percent after the dry spring.',
  'The museum shows paintings and sculptures from the early Renaissance.',
  'Employees receive a monthly allowance for the use of public transport.',
  'The satellite transmits pictures of the surface every ninety minutes.',
  'Please return the signed form to the office before Friday.',
  'The river floods the meadows almost every spring.',
  'The vaccine is stored between two and eight degrees Celsius.',
  'The committee elected a new chair and approved the budget.',
  'Press the button twice to reset the clock of the washing machine.',
  'The castle was abandoned after the fire and later used as a quarry.',
  'The function returns an error if the file does not exist.',
  'Roses should be cut back in early spring, before new shoots appear.',
  'The company sold its shares in the shipping business last year.',
  'Light from the nearest star takes more than four years to reach us.',
  'The teacher asked the class to write a short essay about friendship.',
  'The insurer covers damage by water only if the pipes were maintained.',
  'Two witnesses saw the car leave the scene shortly after midnight.',
  'The choir rehearses every Tuesday evening in the church hall.',
];
