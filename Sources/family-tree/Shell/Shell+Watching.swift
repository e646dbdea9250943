import Kinship
import KinshipProgram

/// Pedigrees and answers that are followed while edits arrive.
extension Shell {
  mutating func watch(_ text: String, generations: Int?) async throws {
    let person = try await person(text)
    let watch = await Watch(
      person, generations: generations ?? Options.allGenerations, in: archive.cache)
    var count = 0
    for news in await watch.latest() {
      switch news {
      case .pedigree(let change): count = change.value?.count ?? 0
      case .failure(let error): throw error
      case .answer: break
      }
    }
    watches.removeAll { $0.name == person.id }
    watches.append(watch)
    try console.write("watching \(person.id): \(count.counted("person"))\n")
  }

  mutating func watch(_ question: PersonQuestion) async throws {
    let query = question.query
    let watch = await Watch(query, called: "q\(watchedAnswers + 1)", in: archive.cache)
    for news in await watch.latest() {
      switch news {
      case .answer(let change):
        let count = change.value.count.counted("person")
        let text = ChangeText(style: style).draw(change.value, of: watch.name)
        try console.write("watching \(watch.name): \(count)\n\(text)")
      case .failure(let error): throw error
      case .pedigree: break
      }
    }
    watchedAnswers += 1
    watches.append(watch)
  }

  mutating func unwatch(_ text: String?) async throws {
    guard let text else {
      watches = []
      return
    }
    let isAnswer = watches.contains { $0.name == text }
    let name = isAnswer ? text : try await person(text).id
    if !watches.contains(where: { $0.name == name }) { throw ShellMistake.notWatched(text) }
    watches.removeAll { $0.name == name }
  }

  /// Hears of what others have changed, and says what has become of all that is watched.
  ///
  /// - Returns: Whether there was anything to say.
  @discardableResult
  mutating func hearOfOthers() async throws -> Bool {
    if following == nil { return false }
    try await archive.catchUp(within: longestCatchUp)
    return try await tellWatched()
  }

  /// Waits until others change what is watched, for so long at most.
  mutating func wait(_ limit: Duration) async throws {
    if following == nil { throw ShellMistake.nobodyElse }
    if watches.isEmpty { throw ShellMistake.nothingWatched }
    if try await hearOfOthers() { return }
    let (rings, bell) = AsyncStream.makeStream(
      of: Void.self, bufferingPolicy: .bufferingNewest(1))
    for watch in watches { await watch.ring(bell) }
    let alarm = Task {
      try await Task.sleep(for: limit)
      bell.finish()
    }
    defer { alarm.cancel() }
    for await _ in rings where try await tellWatched() { return }
    if try await !hearOfOthers() { try console.write("no news\n") }
  }

  /// Says what has become of all that is watched.
  ///
  /// - Returns: Whether there was anything to say.
  /// - Throws: Why something is watched no longer.
  @discardableResult
  mutating func tellWatched() async throws -> Bool {
    let text = ChangeText(style: style)
    var told = ""
    var failure: Failure?
    for watch in watches {
      for news in await watch.latest() {
        switch news {
        case .pedigree(let change): told += text.draw(change, of: watch.name)
        case .answer(let change): told += text.draw(change.diff, of: watch.name)
        case .failure(let error):
          watches.removeAll { $0 === watch }
          failure = Failure(error, ofWatching: watch.name)
        }
      }
    }
    try console.write(told)
    if let failure { throw failure }
    return !told.isEmpty
  }
}

extension Failure {
  /// Why something cannot be followed any longer.
  fileprivate init(_ error: any Error, ofWatching name: String) {
    let cause = Failure(error)
    self.init(
      status: cause?.status ?? .software,
      message: "\(name) is not watched any longer: \(cause?.message ?? "\(error)")")
  }
}
