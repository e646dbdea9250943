/// A task that is cancelled when it is no longer referenced.
final class Following: Sendable {
  let task: Task<Void, Never>

  init(task: Task<Void, Never>) { self.task = task }

  deinit { task.cancel() }
}
