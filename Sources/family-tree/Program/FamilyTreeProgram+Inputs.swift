import Kinship
import KinshipProgram

extension FamilyTreeProgram {
  /// What is to be explored: a store, a file, or without either a genealogy of our own.
  func archive(_ options: Options) async throws -> Archive {
    if let location = options.store { return try await archive(in: location, options) }
    guard let file = options.file else { return try Archive(SampleGenealogy.make(), options) }
    return try Archive(genealogy(of: FileAccess.read(file), from: file), options)
  }

  /// The genealogy of a file, whose warnings go to standard error.
  func genealogy(of bytes: [UInt8], from file: String) throws -> Genealogy {
    var meter = ProgressMeter("Reading \(file)", on: console)
    defer { meter.end() }
    do throws(GedcomError) {
      let (genealogy, diagnostics) = try GenealogyReader.read(bytes) { meter.update($0) }
      meter.end()
      for line in diagnostics.report(for: file) { console.complain(line) }
      return genealogy
    } catch {
      throw Failure(status: .badData, subject: file, line: error.line, message: error.message)
    }
  }

  /// The person who is asked for, or the first one.
  func person(in archive: Archive, _ options: Options) async throws -> Ref<Person> {
    if let who = options.person { return try await archive.person(who) }
    if let first = try await archive.firstPerson() { return first.ref }
    throw Failure(
      status: .badData, subject: options.store?.name ?? options.file ?? "family-tree",
      message: "there are no individuals")
  }
}
