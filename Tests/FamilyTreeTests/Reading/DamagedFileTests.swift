import KinshipTesting
import KinshipTestTraits
import Testing

@testable import family_tree

@Suite(.dedicatedThreads)
struct DamagedFileTests {
  private static let file = Array(
    """
    0 HEAD
    1 CHAR ANSEL
    1 GEDC
    2 VERS 5.5.1
    0 @I1@ INDI
    1 NAME Ann /Lee/
    1 SEX F
    1 BIRT
    2 DATE ABT 2 FEB 1902
    2 PLAC Leeds
    3 CONC , York
    1 FAMC @F1@
    0 @I2@ INDI
    1 NAME John /Lee/
    1 FAMS @F1@
    0 @F1@ FAM
    1 HUSB @I2@
    1 CHIL @I1@
    1 MARR
    0 TRLR
    """.utf8)

  /// Reads bytes as the program does, and reads everything that a drawing would.
  private func digest(_ bytes: [UInt8]) {
    do throws(GedcomError) {
      let (genealogy, diagnostics) = try GenealogyReader.read(bytes)
      let lineage = Lineage(genealogy.persons)
      #expect((lineage.personWithMostAncestors() == nil) == genealogy.persons.isEmpty)
      #expect(genealogy.events.allSatisfy { $0.date?.shortYear != "" })
      #expect(diagnostics.report(for: "file").count <= 21)
    } catch {
      #expect(!error.message.isEmpty)
    }
  }

  @Test(arguments: 0..<16)
  func `random damage never crashes`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    for _ in 0..<(try Effort().operations(1_000)) {
      var bytes = Self.file
      for _ in 0..<Int.random(in: 1...8, using: &random) {
        let position = Int.random(in: bytes.indices, using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: bytes[position] = .random(in: .min ... .max, using: &random)
        case 1: bytes.remove(at: position)
        case 2: bytes.insert(.random(in: .min ... .max, using: &random), at: position)
        default:
          // A piece of the file in another place: damage that still looks like GEDCOM.
          let end = min(position + 40, bytes.count)
          bytes.insert(
            contentsOf: Array(bytes[position..<end]), at: .random(in: bytes.indices, using: &random)
          )
        }
      }
      digest(bytes)
    }
  }

  @Test func `a file of every length is read or rejected`() {
    for length in 0...Self.file.count { digest(Array(Self.file.prefix(length))) }
  }

  @Test func `a file with any flipped bit is read or rejected`() {
    for position in Self.file.indices {
      for bit in 0..<8 {
        var bytes = Self.file
        bytes[position] ^= 1 << UInt8(bit)
        digest(bytes)
      }
    }
  }

  @Test(arguments: 0..<8)
  func `random bytes are read or rejected`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    for _ in 0..<(try Effort().operations(400)) {
      digest((0..<300).map { _ in .random(in: .min ... .max, using: &random) })
    }
  }
}
