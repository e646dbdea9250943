extension Subcommand {
  static let translation = Subcommand(
    name: "translation",
    question: "What does it cost to keep a database behind records, and to write through?",
    cases: [
      .rows, .pedigreeCold, .pedigreeByRows, .pedigreeWarm, .distinct, .inbred, .back, .changes,
      .objects,
    ], casesOfFile: { [.gedcom($0)] })
}
