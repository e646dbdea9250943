import KinshipProgram

extension FamilyTreeProgram {
  /// The genealogy in a store, into which a file is imported if it has none yet.
  func archive(in location: StoreLocation, _ options: Options) async throws -> Archive {
    let stored = try await genealogy(in: location, options)
    for note in stored.notes { console.complain("\(location.name): \(note)") }
    return try await closing(stored, onlyIfItFails: true) {
      try await location.provider.tellingFailures(of: location.name, .unreadable) {
        try await Archive(
          stored, capacity: options.recordsInMemory, isReported: options.report != nil)
      }
    }
  }

  private func genealogy(
    in location: StoreLocation, _ options: Options
  ) async throws -> any StoredGenealogy {
    let name = location.name
    if let stored = try await open(location, options) { return stored }
    guard let file = options.file else {
      throw Failure(
        status: .unreadable, subject: name,
        message: "there is no genealogy in it yet: name a GEDCOM file to import")
    }
    try await fill(location, with: file)
    // Another program may have been faster: then it is to be of the same file.
    if let stored = try await open(location, options) { return stored }
    throw Failure(
      status: .badData, subject: name,
      message: "there are records in it, but not of a whole genealogy; nothing was changed in it")
  }

  /// Opens a store that has a genealogy, which must be of the file, if one is named.
  private func open(
    _ location: StoreLocation, _ options: Options
  ) async throws -> (any StoredGenealogy)? {
    let stored = try await location.provider.open(location.address, isEdited: options.shell)
    guard let stored else { return nil }
    if let file = options.file {
      try await closing(stored, onlyIfItFails: true) {
        try check(stored.source, in: location.name, isOf: file)
      }
    }
    return stored
  }

  private func fill(_ location: StoreLocation, with file: String) async throws {
    let bytes = try FileAccess.read(file)
    let genealogy = try genealogy(of: bytes, from: file)
    // All is written at once, so there are no shares of it to tell.
    console.show(progress: "Writing \(location.name)")
    defer { console.show(progress: nil) }
    let source = SourceFile(path: file, bytes: bytes)
    let isWritten = try await location.provider.fill(
      location.address, with: genealogy, of: source)
    console.complain(
      isWritten
        ? "\(location.name): \(genealogy.size.records.counted("record")) written"
        : "\(location.name): another program has filled it meanwhile")
  }

  private func check(_ stored: SourceFile, in name: String, isOf file: String) throws(Failure) {
    let source = SourceFile(path: file, bytes: try FileAccess.read(file))
    if stored.holdsTheSame(as: source) { return }
    let cause =
      stored.name == source.name
      ? "\(source.name) is not as it was when it was imported"
      : "it holds another genealogy, imported from \(stored.name)"
    throw Failure(
      status: .badData, subject: name,
      message: "\(cause). Nothing was changed: leave the file out to explore what was imported, "
        + "or choose another store to import \(source.name)")
  }

  /// Does something with a store, and closes it whatever comes of that.
  func closing<Result>(
    _ stored: (any StoredGenealogy)?, onlyIfItFails: Bool = false,
    _ body: () async throws -> Result
  ) async throws -> Result {
    let result: Result
    do {
      result = try await body()
    } catch {
      // What has failed first is how the program ends.
      do { try await stored?.close() } catch { tell(error) }
      throw error
    }
    if !onlyIfItFails { try await stored?.close() }
    return result
  }
}
