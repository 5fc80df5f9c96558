import PropertyList

/// What a person does with the keyboard and the mouse.
extension Page {
  /// The keys that are pressed by name, and their numbers.
  enum Key: String {
    case enter = "Enter", tab = "Tab", escape = "Escape"
    case up = "ArrowUp", down = "ArrowDown", left = "ArrowLeft", right = "ArrowRight"
    case home = "Home", end = "End", pageUp = "PageUp", pageDown = "PageDown"

    fileprivate var number: Int64 {
      switch self {
      case .enter: 13
      case .tab: 9
      case .escape: 27
      case .up: 38
      case .down: 40
      case .left: 37
      case .right: 39
      case .home: 36
      case .end: 35
      case .pageUp: 33
      case .pageDown: 34
      }
    }
  }

  /// Presses keys one after the other.
  func press(_ keys: Key...) async throws {
    for key in keys {
      try await press(
        key: key.rawValue, code: key.rawValue, number: key.number, text: key == .enter ? "\r" : nil)
    }
  }

  /// Presses a key with a letter while the control key is held.
  func pressControl(_ letter: Character) async throws {
    let number = Int64(letter.uppercased().utf8.first ?? 0)
    try await press(
      key: String(letter), code: "Key\(letter.uppercased())", number: number, text: nil,
      modifiers: 2)
  }

  /// Types text, one key for each character.
  func type(_ text: String) async throws {
    for character in text {
      try await press(
        key: String(character), code: "", number: Int64(character.uppercased().utf8.first ?? 0),
        text: String(character))
    }
  }

  private func press(
    key: String, code: String, number: Int64, text: String?, modifiers: Int64 = 0
  ) async throws {
    var event: PlistDictionary = [
      "type": .string(text == nil ? "rawKeyDown" : "keyDown"), "key": .string(key),
      "code": .string(code), "windowsVirtualKeyCode": .integer(number),
      "modifiers": .integer(modifiers),
    ]
    if let text { event["text"] = .string(text) }
    try await call("Input.dispatchKeyEvent", event)
    event["type"] = "keyUp"
    event["text"] = nil
    try await call("Input.dispatchKeyEvent", event)
  }

  /// Moves the mouse over the middle of an element, which an expression of the page returns.
  func hover(_ element: String) async throws {
    let point = try await middle(of: element)
    // A moving mouse passes more than one point of an element.
    try await mouse("mouseMoved", at: Point(x: point.x - 1, y: point.y))
    try await mouse("mouseMoved", at: point)
  }

  /// Clicks an element, which an expression of the page returns.
  func click(_ element: String) async throws {
    let point = try await middle(of: element)
    try await mouse("mouseMoved", at: point)
    try await mouse("mousePressed", at: point, button: "left")
    try await mouse("mouseReleased", at: point, button: "left")
  }

  private struct Point: Decodable {
    var x: Double
    var y: Double
  }

  private func middle(of element: String) async throws -> Point {
    try await run(
      """
      const element = \(element);
      if (!element) throw new Error('no such element');
      element.scrollIntoView({ block: 'nearest' });
      await new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)));
      const box = element.getBoundingClientRect();
      return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
      """)
  }

  private func mouse(_ type: String, at point: Point, button: String = "none") async throws {
    try await call(
      "Input.dispatchMouseEvent",
      [
        "type": .string(type), "x": .real(point.x), "y": .real(point.y), "button": .string(button),
        "clickCount": .integer(button == "none" ? 0 : 1),
      ])
  }
}
