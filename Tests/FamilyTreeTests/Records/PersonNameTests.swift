import Testing

@testable import family_tree

struct PersonNameTests {
  @Test(arguments: [
    ("John /Doe/", "John Doe", "Doe"), ("/Doe/", "Doe", "Doe"),
    ("John/Doe/Jr.", "John Doe Jr.", "Doe"),
    ("Victoria Adelaide Mary//", "Victoria Adelaide Mary", ""), ("John", "John", ""),
    ("Edward_VII  /Wettin/", "Edward VII Wettin", "Wettin"), ("John /Doe", "John Doe", "Doe"),
    ("/", "", ""), ("", "", ""), ("a/b/c/d", "a b c/d", "b"),
  ])
  func `a GEDCOM name is parsed`(text: String, full: String, surname: String) {
    #expect(PersonName(gedcom: text) == PersonName(full: full, surname: surname))
  }

  @Test func `a missing name is shown as missing`() {
    #expect(PersonName(gedcom: "//").display == "(no name)")
  }
}
