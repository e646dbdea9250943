import Foundation
import Kinship
import KinshipTestSupport
import Testing

/// `ProvokedMistakesTests` checks the messages.
struct KinshipErrorTests {
  @Test func `localizedDescription says what the description says`() {
    let missing = KinshipError.missing(AnyRef(Ref<TestPlace>(1)))
    let partial = PartialAnswer<TestPlace>([], failures: [.init(1, cause: missing)])
    let system = SystemError(.open, "/a", 13)
    #expect(missing.localizedDescription == missing.description)
    #expect(partial.localizedDescription == partial.description)
    #expect(system.localizedDescription == system.description)
    #expect(
      FileReplacementError.failed(system).localizedDescription
        == "The file was not replaced: \(system)")
  }

  @Test func `every public error has a localized description`() throws {
    let declaration = /public (?:enum|struct|final class) (\w+)(?:<[^>]*>)?: (?:\w+, )*Error\b/
    let files = try RepositoryFile.all(in: "Sources", ending: [".swift"])
    let errors = files.flatMap { $0.text.matches(of: declaration).map { String($0.output.1) } }
    #expect(errors.count >= 11)
    for error in errors {
      let isLocalized = files.contains { $0.text.contains("\(error): LocalizedError") }
      #expect(isLocalized, "\(error)")
    }
  }
}
