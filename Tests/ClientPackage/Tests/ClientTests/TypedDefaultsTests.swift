#if canImport(TypedDefaults)
  import Testing
  import TypedDefaults

  @testable import TypedDefaultsClient

  @Suite("What the documentation of TypedDefaults says")
  struct TypedDefaultsTests {
    @Test("A value is stored under its type's key, and read by another store")
    func persistentStore() throws {
      let store = PersistentStore<PrinterConfig>()
      #expect(store.get()?.paper == nil)
      var config = try #require(PrinterConfig([:] as [String: Any]))
      store.set(config)
      #expect(store.get()?.paper == .medium)
      config.paper = .large
      config.isDuplex = false
      store.set(config)
      let other = PersistentStore<PrinterConfig>()
      #expect(other.get()?.paper == .large)
      #expect(other.get()?.isDuplex == false)
      #expect(PrinterController().summary == "large, one side")
      store.remove()
      #expect(PrinterController().summary == "unknown")
    }

    @Test("A class is stored, too")
    func classes() {
      let store = PersistentStore<Counter>()
      store.set(Counter(count: 7))
      #expect(store.get()?.count == 7)
    }

    @Test("A store of the program's own takes the place, and both spellings save")
    func customStore() throws {
      let (controller, store) = (PrinterController(), CountingStore<PrinterConfig>())
      controller.config = AnyStore(store)
      controller.config.set(try #require(PrinterConfig([:] as [String: Any])))
      #expect(controller.summary == "medium, two sides")
      #expect(store.count == 1)
      #expect(controller.config.synchronize())
      #expect(PersistentStore<PrinterConfig>().syncronize())
    }

    @Test("A test puts a store in memory in the place of the persistent one")
    func injection() throws {
      let controller = PrinterController()
      let store = InMemoryStore<PrinterConfig>()
      store.set(try #require(PrinterConfig(["isDuplex": true, "paper": 2])))
      controller.config = AnyStore(store)
      #expect(controller.summary == "small, two sides")
      controller.config.remove()
      #expect(store.get() == nil)
      #expect(controller.config.synchronize())
    }
  }
#endif
