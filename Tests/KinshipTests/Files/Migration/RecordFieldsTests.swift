import Foundation
import Testing

@testable import Kinship
@testable import KinshipTrials

/// Fields contain any value that a coder can write, and return it unchanged.
struct RecordFieldsTests {
  struct Everything: Codable, Equatable {
    var bool = true
    var int = -7
    var large = UInt64.max
    var number = 0.1
    var whole = 3.0
    var zero = -0.0
    var text = "Zoë"
    var data = Data([0, 1, 255])
    var date = Date(timeIntervalSinceReferenceDate: 1.5)
    var uuid = UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F")
    var decimal = Decimal(string: "3.14159265358979323846264338")
    var list = [1, 2, 3]
    var empty: [String] = []
    var names = ["a": 1, "b": 2]
    var numbers = [1: "one", 2: "two"]
    var nothing: Int?
    var nested: [[String: [Double]]] = [["x": [1, 2.5]], [:]]
  }

  @Test(arguments: SnapshotLab.coders)
  func `fields are written as they were read`(coder: any RecordCoder) throws {
    let value = Everything()
    let encoder = coder.makeEncoder(keys: [])
    var bytes: [UInt8] = []
    try encoder.encode(value, into: &bytes)
    let fields = try bytes.withUnsafeBytes {
      try coder.makeDecoder(keys: encoder.keys).decode(RecordFields.self, from: $0)
    }
    #expect(fields["int"]?.int == -7)
    #expect(fields["large"] == .integer(Int128(UInt64.max)))
    #expect(fields["text"]?.text == "Zoë")
    #expect(fields["bool"]?.bool == true)
    #expect(fields["number"]?.double == 0.1)
    #expect(fields["list"]?.list == [1, 2, 3])
    #expect(fields["names"]?.fields?["b"]?.int == 2)
    #expect(fields["nothing"] == nil)
    var again: [UInt8] = []
    let other = coder.makeEncoder(keys: [])
    try other.encode(fields, into: &again)
    let decoded = try again.withUnsafeBytes {
      try coder.makeDecoder(keys: other.keys).decode(Everything.self, from: $0)
    }
    #expect(decoded == value)
    #expect(decoded.zero.sign == .minus)
  }

  @Test func `fields can be renamed and removed`() {
    var fields = RecordFields()
    fields["a"] = 1
    fields["b"] = [true, "x", 2.5]
    fields.rename("a", to: "c")
    fields.rename("nothing", to: "d")
    #expect(fields.names == ["b", "c"])
    #expect(fields.remove("c") == 1)
    #expect(fields.remove("c") == nil)
    #expect(fields["b"]?.list?.last?.double == 2.5)
    #expect(FieldValue.null.text == nil)
    #expect(FieldValue.decimal(Decimal(2)).double == 2)
  }
}
