/// A task that ends with what refers to it.
final class Following: Sendable {
  let task: Task<Void, Never>

  init(task: Task<Void, Never>) { self.task = task }

  deinit { task.cancel() }
}
