import Kinship

/// Pedigrees and answers that are followed while edits arrive.
extension Shell {
  mutating func watch(_ text: String, generations: Int?) async throws {
    let person = try await person(text)
    let watch = await Watch(
      person, generations: generations ?? Options.allGenerations, in: archive.cache)
    watches.removeAll { $0.name == person.id }
    watches.append(watch)
    var count = 0
    for case .pedigree(let change) in await watch.latest() { count = change.value?.count ?? 0 }
    try console.write("watching \(person.id): \(count.counted("person"))\n")
  }

  mutating func watch(_ question: PersonQuestion) async throws {
    let query = try await question.query(in: archive.cache)
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

  /// Says what an edit has made of all that is watched.
  func tellWatched() async throws {
    let text = ChangeText(style: style)
    for watch in watches {
      for news in await watch.latest() {
        switch news {
        case .pedigree(let change): try console.write(text.draw(change, of: watch.name))
        case .answer(let change): try console.write(text.draw(change.diff, of: watch.name))
        case .failure(let error): throw error
        }
      }
    }
  }
}
