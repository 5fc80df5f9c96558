import Defaults
import Observation
import Testing

@testable import DefaultsClient

@Suite("What the documentation of Defaults says of changes")
struct DefaultsObservationTests {
  @Test("Updates begin with the present value, in an actor and in a task")
  func updates() async {
    let recorder = Recorder()
    let recording = Task { await recorder.record(until: 2) }
    while await recorder.levels.isEmpty { await Task.yield() }
    #expect(await recorder.raise() == 1)
    #expect(await recorder.raise() == 2)
    await recording.value
    #expect(await recorder.levels == [0, 1, 2])
    let waiting = Task { await pair(with: "km") }
    Defaults[.unit] = "km"
    #expect(await waiting.value?.level == 2)
  }

  @Test("Observers and subscribers hear of changes, old and new, until their object goes")
  func observers() {
    let journal = Journal<String>()
    var watch: Watch? = Watch(journal: journal)
    #expect(journal.entries == ["wind 0 to 0"])
    Defaults[.wind] = 12
    #expect(
      journal.entries.dropFirst().sorted() == ["either", "storm 12", "wind 0 to 12"])
    Defaults[.gust] = 20
    Defaults[.alarm] = true
    #expect(journal.entries.suffix(2) == ["either", "alarm true"])
    watch?.stop()
    Defaults[.wind] = 1
    #expect(journal.entries.count == 6)
    watch = nil
    Defaults[.alarm] = false
    #expect(journal.entries.count == 6)
  }

  @Test("What is written without propagation is not told, what is written besides is")
  func propagation() {
    let (journal, relayed) = (Journal<String>(), Journal<Bool>())
    let observer = observeEcho(journal)
    let other = Defaults.observe(.relay, options: []) { relayed.add($0.newValue) }
    Defaults[.echo] = 1
    #expect(journal.entries == ["echo 1"])
    #expect(Defaults[.echo] == 11)
    #expect(relayed.entries == [true])
    observer.invalidate()
    other.invalidate()
  }

  @Test("A property with a key is read and set where the key is, and can be reset")
  func property() {
    let panel = Panel()
    #expect(!panel.isLit)
    panel.isLit = true
    #expect(Defaults[.isLit])
    panel.reset()
    #expect(!panel.isLit)
  }

  @Test("A property of an observable class is tracked, whoever changes it")
  @MainActor
  func observableProperty() {
    let (model, changes) = (PanelModel(), Journal<Bool>())
    #expect(
      !withObservationTracking {
        model.isOpen
      } onChange: {
        changes.add(true)
      })
    Defaults[.isOpen] = true
    #expect(changes.entries == [true])
    #expect(model.isOpen)
    Defaults.reset(.isOpen)
    model.open()
    #expect(Defaults[.isOpen])
    #expect(model.openings == 1)
  }
}
