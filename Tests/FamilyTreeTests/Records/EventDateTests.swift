import Testing

@testable import family_tree

struct EventDateTests {
  @Test(
    arguments: [
      ("24 MAY 1819", 1819, "1819", "24 May 1819"), ("ABT 1750", 1750, "c. 1750", "about 1750"),
      ("BEF 1066", 1066, "bef. 1066", "before 1066"),
      ("AFT 2 MAR 900", 900, "aft. 900", "after 2 Mar 900"),
      ("BET 1 JAN 1700 AND 1710", 1700, "1700", "between 1 Jan 1700 and 1710"),
      ("@#DJULIAN@ 25 DEC 1066", 1066, "1066", "(Julian) 25 Dec 1066"),
      ("MAR 1750/51", 1750, "1750", "Mar 1750/51"),
      ("5 MAR 98", 98, "98", "5 Mar 98"), ("44 B.C.", -44, "44 BC", "44 B.C."),
      ("1/2/1900", 1900, "1900", "1/2/1900"),
      ("   JUL 1900", 1900, "1900", "Jul 1900"),
      ("(about 1700)", 1700, "c. 1700", "(about 1700)"), ("5 MAR", nil, nil, "5 Mar"),
      ("", nil, nil, ""),
      ("@#DHEBREW@ 2 TVT 5758", nil, nil, "@#DHEBREW@ 2 TVT 5758"),
      ("99999999999999999999", nil, nil, "99999999999999999999"),
    ] as [(String, Int?, String?, String)])
  func yearsAndText(text: String, year: Int?, shortYear: String?, display: String) {
    let date = EventDate(text: text)
    #expect(date.year == year)
    #expect(date.shortYear == shortYear)
    #expect(date.display == display)
  }
}
