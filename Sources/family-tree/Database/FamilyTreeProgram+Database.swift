#if SQLite
  extension FamilyTreeProgram {
    /// The genealogy in a database, into which a file is imported if it has none yet.
    func archive(inDatabase path: String, _ options: Options) async throws -> Archive {
      let stored = try await GenealogyDatabase.source(of: path)
      if let file = options.file {
        try await fill(path, unlessFilledFrom: stored, with: file)
      } else if stored == nil {
        throw Failure(
          status: .unreadable, subject: path,
          message: "there is no genealogy in it yet: name a GEDCOM file to import")
      }
      let database = try await GenealogyDatabase.open(path, isEdited: options.shell)
      return try await database.archive(capacity: options.recordsInMemory)
    }

    private func fill(
      _ path: String, unlessFilledFrom stored: SourceFile?, with file: String
    ) async throws {
      let bytes = try FileAccess.read(file)
      let source = SourceFile(path: file, bytes: bytes)
      if let stored {
        if stored.holdsTheSame(as: source) { return }
        throw Self.mismatch(path, stored, source)
      }
      let genealogy = try genealogy(of: bytes, from: file)
      try await write(genealogy, of: source, to: path)
      console.complain("\(path): \(genealogy.size.records.counted("record")) written")
    }

    private func write(
      _ genealogy: Genealogy, of source: SourceFile, to path: String
    ) async throws {
      // All is written at once, so there are no shares of it to tell.
      console.show(progress: "Writing \(path)")
      defer { console.show(progress: nil) }
      try await GenealogyDatabase.fill(path, with: genealogy, of: source)
    }

    private static func mismatch(
      _ path: String, _ stored: SourceFile, _ source: SourceFile
    ) -> Failure {
      let cause =
        stored.name == source.name
        ? "\(source.name) is not as it was when it was imported"
        : "it holds another genealogy, imported from \(stored.name)"
      return Failure(
        status: .badData, subject: path,
        message: "\(cause). Nothing was changed: leave the file out to explore what was imported, "
          + "or choose another database to import \(source.name)")
    }
  }
#endif
