import Kinship

/// Pedigrees that are followed while edits arrive.
extension Shell {
  mutating func watch(_ text: String, generations: Int?) async throws {
    let person = try await person(text)
    let watch = await Watch(
      person, generations: generations ?? Options.allGenerations, in: archive.cache)
    watches.removeAll { $0.person == person }
    watches.append(watch)
    var count = 0
    for case .change(let change) in await watch.latest() { count = change.value?.count ?? 0 }
    try console.write("watching \(person.id): \(count.counted("person"))\n")
  }

  mutating func unwatch(_ text: String?) async throws {
    guard let text else {
      watches = []
      return
    }
    let person = try await person(text)
    if !watches.contains(where: { $0.person == person }) { throw ShellMistake.notWatched(text) }
    watches.removeAll { $0.person == person }
  }

  /// Says what an edit has made of the pedigrees that are watched.
  func tellWatched() async throws {
    let text = ChangeText(style: style)
    for watch in watches {
      for news in await watch.latest() {
        switch news {
        case .change(let change): try console.write(text.draw(change, of: watch.person))
        case .failure(let error): throw error
        }
      }
    }
  }
}
