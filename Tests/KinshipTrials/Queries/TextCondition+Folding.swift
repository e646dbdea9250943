import Foundation
package import Kinship

extension TextCondition {
  /// The behaviour that ``TextFolding`` documents, by Foundation's decomposition.
  package static func folded(_ text: String, _ folding: TextFolding) -> String {
    var text = text
    if folding.contains(.diacritics) {
      let scalars = text.decomposedStringWithCanonicalMapping.unicodeScalars.filter {
        $0.properties.generalCategory != .nonspacingMark
      }
      text = String(String.UnicodeScalarView(scalars))
    }
    return folding.contains(.case) ? text.lowercased().uppercased().lowercased() : text
  }
}
