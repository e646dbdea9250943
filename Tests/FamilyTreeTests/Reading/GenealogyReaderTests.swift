import Kinship
import KinshipTestTraits
import Testing

@testable import family_tree

@Suite(.dedicatedThreads)
struct GenealogyReaderTests {
  @Test func `a family of three is read`() throws {
    let (genealogy, warnings) = try read(
      """
      0 HEAD
      0 @I1@ INDI
      1 NAME Ann /Lee/
      1 SEX F
      1 BIRT
      2 DATE 2 FEB 1902
      2 PLAC Leeds
      1 OCCU Weaver
      1 FAMC @F1@
      0 @I2@ INDI
      1 NAME John /Lee/
      1 FAMS @F1@
      0 @I3@ INDI
      1 NAME Mary
      1 FAMS @F1@
      0 @F1@ FAM
      1 HUSB @I2@
      1 WIFE @I3@
      1 CHIL @I1@
      1 MARR Y
      2 PLAC Leeds
      0 TRLR
      """)
    #expect(warnings == [])

    let ann = try #require(genealogy.person("@I1@"))
    #expect(ann.name == PersonName(full: "Ann Lee", surname: "Lee"))
    #expect(ann.sex == .female)
    #expect(ann.father == "@I2@")
    #expect(ann.mother == "@I3@")
    #expect(ann.familyOfBirth == "@F1@")
    #expect(genealogy.person("@I2@")?.families == ["@F1@"])
    #expect(genealogy.family("@F1@")?.children == ["@I1@"])

    #expect(genealogy.places.map(\.name) == ["Leeds"])
    #expect(genealogy.events.map(\.kind.label) == ["born", "occupation", "married"])
    #expect(genealogy.events.map(\.detail) == [nil, "Weaver", nil])
    #expect(genealogy.events.map(\.place) == ["Leeds", nil, "Leeds"])
    #expect(genealogy.events[0].date?.rawValue == "2 FEB 1902")
    #expect(ann.events == [0, 1])
  }

  @Test func `dangling pointers are kept and reported`() throws {
    let (genealogy, warnings) = try read(
      """
      0 HEAD
      0 @I1@ INDI
      1 FAMC @F1@
      1 FAMS @F9@
      0 @F1@ FAM
      1 HUSB @I8@
      1 CHIL @I1@
      1 CHIL @I9@
      0 TRLR
      """)
    #expect(genealogy.person("@I1@")?.father == "@I8@")
    #expect(genealogy.person("@I1@")?.families == ["@F9@"])
    #expect(genealogy.family("@F1@")?.children == ["@I1@", "@I9@"])
    #expect(
      warnings == [
        "4: the file has no family @F9@", "6: the file has no person @I8@",
        "8: the file has no person @I9@",
      ])
  }

  @Test func `a second family of birth is kept beside the first`() throws {
    let (genealogy, warnings) = try read(
      """
      0 HEAD
      0 @I1@ INDI
      1 FAMC @F1@
      1 FAMC @F2@
      0 @I2@ INDI
      1 FAMS @F1@
      0 @I3@ INDI
      1 FAMS @F2@
      0 @F1@ FAM
      1 HUSB @I2@
      1 CHIL @I1@
      0 @F2@ FAM
      1 WIFE @I3@
      1 CHIL @I1@
      0 TRLR
      """)
    let person = try #require(genealogy.person("@I1@"))
    #expect(person.parents == ["@I2@"])
    #expect(person.furtherFamilies == ["@F2@"])
    #expect(warnings.count == 1)
    #expect(warnings[0].hasPrefix("4: @I1@ has more than two parents"))
  }

  @Test func `an adoption is not a family of birth`() throws {
    let (genealogy, warnings) = try read(
      """
      0 HEAD
      0 @I1@ INDI
      1 FAMC @F1@
      2 PEDI adopted
      1 FAMC @F2@
      0 @F1@ FAM
      1 CHIL @I1@
      0 @F2@ FAM
      1 CHIL @I1@
      0 TRLR
      """)
    #expect(genealogy.person("@I1@")?.familyOfBirth == "@F2@")
    #expect(genealogy.person("@I1@")?.furtherFamilies == ["@F1@"])
    #expect(warnings == [])
  }

  @Test func `a third partner of a family is left out`() throws {
    let (genealogy, warnings) = try read(
      """
      0 HEAD
      0 @I1@ INDI
      1 FAMS @F1@
      0 @I2@ INDI
      1 FAMS @F1@
      0 @I3@ INDI
      1 FAMS @F1@
      0 @F1@ FAM
      1 HUSB @I1@
      1 HUSB @I2@
      1 WIFE @I3@
      0 TRLR
      """)
    #expect(genealogy.family("@F1@")?.husband == "@I1@")
    #expect(genealogy.family("@F1@")?.wife == "@I3@")
    #expect(warnings == ["10: @F1@ has more than two partners; @I2@ is left out"])
  }

  @Test func `two husbands are both parents`() throws {
    let (genealogy, warnings) = try read(
      """
      0 HEAD
      0 @I1@ INDI
      1 FAMS @F1@
      0 @I2@ INDI
      1 FAMS @F1@
      0 @F1@ FAM
      1 HUSB @I1@
      1 HUSB @I2@
      0 TRLR
      """)
    #expect(genealogy.family("@F1@")?.partners == ["@I1@", "@I2@"])
    #expect(warnings == [])
  }

  @Test func `a link on one side is added to the other`() throws {
    let (genealogy, warnings) = try read(
      """
      0 HEAD
      0 @I1@ INDI
      0 @I2@ INDI
      0 @I3@ INDI
      1 FAMC @F1@
      0 @I4@ INDI
      1 FAMS @F1@
      0 @F1@ FAM
      1 HUSB @I1@
      1 CHIL @I2@
      0 TRLR
      """)
    #expect(genealogy.person("@I1@")?.families == ["@F1@"])
    #expect(genealogy.person("@I2@")?.father == "@I1@")
    #expect(genealogy.family("@F1@")?.children == ["@I2@", "@I3@"])
    #expect(genealogy.family("@F1@")?.wife == nil)
    #expect(
      warnings == [
        "5: @F1@ does not list @I3@ as a child; added",
        "7: @F1@ does not name @I4@ as husband or wife",
        "9: @I1@ does not name @F1@ as own family; added",
        "10: @I2@ does not name @F1@ as family of birth; added",
      ])
  }

  @Test func `duplicate and missing xrefs are left out`() throws {
    let (genealogy, warnings) = try read(
      """
      0 HEAD
      0 @I1@ INDI
      1 NAME First
      0 @I1@ INDI
      1 NAME Second
      0 @I1@ FAM
      0 INDI
      0 FAM
      0 TRLR
      """)
    #expect(genealogy.persons.map(\.name.full) == ["First"])
    #expect(genealogy.families == [])
    #expect(
      warnings == [
        "4: @I1@ is already the record of line 2; left out",
        "6: @I1@ is already the record of line 2; left out",
        "7: INDI without an xref; left out", "8: FAM without an xref; left out",
      ])
  }

  @Test func `a repeated link counts once`() throws {
    let (genealogy, warnings) = try read(
      """
      0 HEAD
      0 @I1@ INDI
      1 FAMC @F1@
      1 FAMC @F1@
      0 @I2@ INDI
      1 FAMS @F1@
      0 @F1@ FAM
      1 HUSB @I2@
      1 WIFE @I2@
      1 CHIL @I1@
      0 TRLR
      """)
    #expect(genealogy.person("@I1@")?.parents == ["@I2@"])
    #expect(warnings.map { $0.prefix(2) } == ["4:", "9:"])
  }

  @Test func `a person who is their own ancestor is reported`() throws {
    let (genealogy, warnings) = try read(ownAncestor)
    #expect(genealogy.person("@I1@")?.father == "@I2@")
    #expect(warnings == ["2: @I1@ is their own ancestor, through 1 other"])
  }

  @Test func `a value that should be a pointer is reported`() throws {
    let (genealogy, warnings) = try read(
      "0 HEAD\n1 GEDC\n2 VERS 7.0\n0 @F1@ FAM\n1 HUSB @VOID@\n1 WIFE Mary\n1 CHIL\n0 TRLR")
    #expect(genealogy.families == [Family(id: "@F1@")])
    #expect(warnings.map { $0.prefix(2) } == ["6:", "7:"])
  }

  @Test func `a name without a value comes from its parts`() throws {
    let (genealogy, _) = try read(
      "0 HEAD\n0 @I1@ INDI\n1 NAME\n2 GIVN Ann\n2 SURN Lee\n0 @I2@ INDI\n0 TRLR")
    #expect(genealogy.persons.map(\.name.full) == ["Ann Lee", ""])
  }

  /// A person with the given lines, a couple in F1, and a man and a child in F2.
  private func child(_ lines: String, of families: String...) throws -> (
    person: Person?, genealogy: Genealogy, warnings: [String]
  ) {
    func child(_ family: String) -> String { families.contains(family) ? "\n1 CHIL @I1@" : "" }
    let (genealogy, warnings) = try read(
      """
      0 HEAD
      0 @I1@ INDI
      \(lines)
      0 @I2@ INDI
      1 NAME Olga /Moss/
      1 FAMS @F1@
      0 @I3@ INDI
      1 NAME Emil /Moss/
      1 FAMS @F1@
      0 @I4@ INDI
      1 FAMS @F2@
      0 @F1@ FAM
      1 WIFE @I2@
      1 HUSB @I3@\(child("F1"))
      0 @F2@ FAM
      1 HUSB @I4@\(child("F2"))
      0 TRLR
      """)
    return (genealogy.person("@I1@"), genealogy, warnings)
  }

  @Test(arguments: [
    ["foster", "birth"], ["birth", "sealing"], ["ADOPTED", "BIRTH"], ["birth", "birth"],
  ])
  func `a family named twice is the family of birth if one line says so`(pedigrees: [String]) throws
  {
    let lines = pedigrees.map { "1 FAMC @F1@\n2 PEDI \($0)" }.joined(separator: "\n")
    let (person, _, warnings) = try child(lines, of: "F1", "F1")
    #expect(person?.parents == ["@I3@", "@I2@"])
    #expect(person?.furtherFamilies == [])
    #expect(warnings.map { $0.prefix(2) } == ["5:"])
  }

  @Test func `a child listed twice by a family counts once`() throws {
    let (genealogy, warnings) = try read(
      """
      0 HEAD
      0 @I1@ INDI
      0 @I2@ INDI
      1 FAMS @F1@
      0 @F1@ FAM
      1 CHIL @I1@
      1 WIFE @I2@
      1 CHIL @I1@
      0 TRLR
      """)
    #expect(genealogy.family("@F1@")?.children == ["@I1@"])
    #expect(genealogy.person("@I1@")?.parents == ["@I2@"])
    #expect(warnings.map { $0.prefix(2) } == ["6:", "8:"])
  }

  @Test(arguments: ["1 FAMC @F1@\n1 FAMC @F1@\n2 PEDI foster", "1 FAMC @F1@\n2 PEDI other"])
  func `a family that fosters, adopts or seals is not the family of birth`(lines: String) throws {
    let (person, _, _) = try child(lines, of: "F1")
    #expect(person?.parents == [])
    #expect(person?.furtherFamilies == ["@F1@"])
  }

  @Test(arguments: [
    "1 ADOP\n2 FAMC @F1@\n1 FAMC @F1@\n1 FAMC @F2@",
    "1 FAMC @F1@\n1 FAMC @F2@\n1 ADOP\n2 FAMC @F1@",
    "1 FAMC @F2@\n1 ADOP\n2 FAMC @F1@",
    "1 FAMC @F1@\n1 FAMC @F2@\n2 PEDI birth\n1 ADOP\n2 FAMC @F1@",
  ])
  func `the family of an adoption is not the family of birth`(lines: String) throws {
    let (person, _, warnings) = try child(lines, of: "F1", "F2")
    #expect(person?.familyOfBirth == "@F2@")
    #expect(person?.furtherFamilies == ["@F1@"])
    #expect(warnings == [])
  }

  @Test(arguments: [
    "1 FAMC @F1@\n1 FAMC @F2@\n1 BIRT\n2 FAMC @F2@", "1 FAMC @F1@\n1 FAMC @F2@\n2 PEDI birth",
  ])
  func `a declared family of birth comes before an undeclared one`(lines: String) throws {
    let (person, _, warnings) = try child(lines, of: "F1", "F2")
    #expect(person?.parents == ["@I4@"])
    #expect(person?.furtherFamilies == ["@F1@"])
    #expect(warnings.count == 1)
  }

  @Test(arguments: [
    ("1 ADOP\n2 FAMC @F1@\n3 ADOP BOTH", "by both of @F1@"),
    ("1 ADOP Y\n2 FAMC @F1@\n3 ADOP HUSB", "by the husband of @F1@"),
    ("1 ADOP\n2 TYPE late\n2 FAMC @F1@\n3 ADOP WIFE", "late, by the wife of @F1@"),
    ("1 ADOP\n2 FAMC @F1@", "into @F1@"), ("1 ADOP\n2 FAMC @VOID@", nil), ("1 ADOP", nil),
  ])
  func `an adoption says who adopted`(lines: String, detail: String?) throws {
    let (_, genealogy, _) = try child(lines, of: "F1")
    #expect(genealogy.events.map(\.detail) == [detail])
  }

  @Test func `a date that is only a phrase is kept`() throws {
    let (genealogy, _) = try read(
      "0 HEAD\n1 GEDC\n2 VERS 7.0\n0 @I1@ INDI\n1 BIRT\n2 DATE\n3 PHRASE about 1640\n0 TRLR")
    #expect(genealogy.events.first?.date == EventDate(rawValue: "(about 1640)"))
  }

  @Test(arguments: [
    ("Ann Lee\n2 SURN Lee", "Ann Lee", "Lee"), ("Ann /Lee/\n2 SURN Moss", "Ann Lee", "Lee"),
    ("Ann\n2 GIVN Ann", "Ann", ""),
    ("Jan van Dyk\n2 SPFX van\n2 SURN Dyk", "Jan van Dyk", "van Dyk"),
    ("\n2 NPFX Dr\n2 GIVN Jan\n2 SPFX van\n2 SURN Dyk\n2 NSFX Jr", "Dr Jan van Dyk Jr", "van Dyk"),
    ("\n2 SURN Lee", "Lee", "Lee"), ("\n2 GIVN Ann", "Ann", ""), ("", "", ""),
  ])
  func `a name is completed from its parts`(lines: String, full: String, surname: String) throws {
    let (genealogy, _) = try read("0 HEAD\n0 @I1@ INDI\n1 NAME \(lines)\n0 TRLR")
    #expect(genealogy.persons.map(\.name) == [PersonName(full: full, surname: surname)])
  }

  @Test(.needsRoyalFile) func `the royal families are read without a warning`() throws {
    let (genealogy, diagnostics) = try GenealogyReader.read(RoyalFile.bytes())
    #expect(diagnostics.report(for: "royal92.ged") == [])
    #expect(genealogy.persons.count == 3_010)
    #expect(genealogy.families.count == 1_422)
    #expect(genealogy.events.count == 5_675)
    #expect(genealogy.places.count == 715)
  }
}

/// A man who is the son of his son.
let ownAncestor = """
  0 HEAD
  0 @I1@ INDI
  1 NAME Odd /Circle/
  1 FAMC @F2@
  1 FAMS @F1@
  0 @I2@ INDI
  1 NAME Even /Circle/
  1 FAMC @F1@
  1 FAMS @F2@
  0 @F1@ FAM
  1 HUSB @I1@
  1 CHIL @I2@
  0 @F2@ FAM
  1 HUSB @I2@
  1 CHIL @I1@
  0 TRLR
  """
