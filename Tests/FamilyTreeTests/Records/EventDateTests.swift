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
  func `a date has a year and a text`(text: String, year: Int?, shortYear: String?, display: String)
  {
    let date = EventDate(rawValue: text)
    #expect(date.year == year)
    #expect(date.shortYear == shortYear)
    #expect(date.display == display)
  }

  @Test(
    arguments: [
      ("BET 31 B.C. AND 476", -31), ("BET 96 AND 180", 96), ("FROM 98 TO 117", 98),
      ("BET 1 MAY AND 9 JUN 1720", 1720), ("BET 1720-1729", 1720), ("TO 8 JUN 68", 68),
      ("AFT 15 BC", -15), ("7 JUL 30 BCE", -30), ("63 B.C.E.", -63), ("1200 BC", -1200),
      ("BET @#DJULIAN@ 9 SEP 9 AND @#DJULIAN@ 14", 9), ("JULIAN 23 SEP 63 BCE", -63),
      ("11 FEB 1699/00", 1699), ("3 FEB 1720/1", 1720), ("CAL 43", 43), ("EST. 1640", 1640),
      ("4 JUL 4", 4), ("APR 37", 37), ("AD 79", 79), ("1640 A.D.", 1640), ("1640s", 1640),
      ("1640?", 1640), ("~1640", 1640), ("ca1640", 1640), ("9.8.1640", 1640),
    ] as [(String, Int)])
  func `a date has the year that it begins with`(text: String, year: Int) {
    #expect(EventDate(rawValue: text).year == year)
  }

  @Test(arguments: [
    ("(about 1640)", 1640), ("(around the year 1640)", 1640), ("(5 weeks after the fire)", nil),
    ("(in the 9th year of the siege)", nil), ("aged 103", nil), ("(killed with 300 others)", nil),
    ("INT 1721 (page 12 of the index of 1930)", 1721), ("INT 5 MAY 21 (from 1930)", 21),
    ("(the winter of 53 B.C.)", -53),
  ])
  func `a number in a phrase is a year only if it can be nothing else`(text: String, year: Int?) {
    #expect(EventDate(rawValue: text).year == year)
  }

  @Test(arguments: [
    "@#dhebrew@ 5 NSN 5600", "HEBREW 5 NSN 5600", "@#DFRENCH R@ 9 THER 2", "FRENCH_R 9 THER 1794",
    "@#DROMAN@ 700", "@#DUNKNOWN@ 1640", "_AZTEC 1640", "FROM HEBREW 5600 TO 1850", "7.8.40",
    "19 20", "0", "31 DEC 0", "12345", "12 VEND 3",
  ])
  func `a date in another calendar or in doubt has no year`(text: String) {
    #expect(EventDate(rawValue: text).year == nil)
    #expect(EventDate(rawValue: text).shortYear == nil)
  }

  @Test func `a short year says that a date is approximate or open`() {
    let dates = ["ABT. 1640", "c1640", "BEF 99", "AFT 15 BC"]
    let years = dates.map { EventDate(rawValue: $0).shortYear }
    #expect(years == ["c. 1640", "c. 1640", "bef. 99", "aft. 15 BC"])
  }
}
