/// Shows the progress of one piece of work, if it takes long enough to wonder.
struct ProgressMeter {
  private let console: any Console
  private let activity: String
  private let clock = ContinuousClock()
  private var next: ContinuousClock.Instant
  private var isShown = false

  init(_ activity: String, on console: any Console) {
    self.activity = activity
    self.console = console
    next = clock.now + .milliseconds(300)
  }

  mutating func update(_ share: Double) {
    let now = clock.now
    guard now >= next else { return }
    next = now + .milliseconds(100)
    isShown = true
    console.show(progress: "\(activity) \(Int(share * 100)) %")
  }

  func end() {
    if isShown { console.show(progress: nil) }
  }
}
