import Foundation
import PropertyList
import Testing

@testable import Preferences

@Suite("Coding of URLs")
struct URLCodingTests {
  private static func url(_ text: String, relativeTo base: String? = nil) throws -> URL {
    try #require(URL(string: text, relativeTo: base.flatMap { URL(string: $0) }))
  }

  @Test(
    "A string that is an absolute URL is that URL",
    arguments: [
      "https://a.b/c?x=1#f", "https://a.b/%C3%A9%2F%20?q=%26&r=%25#%23", "HTTP://A.B", "mailto:a@b",
      "data:,a%20b", "x-app+1.0:y", "a:b", "a:?", "http://[::1]:8080/", "file:///a/b",
      "file:///a%20b?q=1#f", "file://host/x", "file:/a", "file:x", "urn:isbn:0451450523",
      "http://u:p@h:1/a;b=c?d#e", "http://h/../a//b/./c",
    ])
  func absolute(text: String) throws {
    let url = try #require(URLCoding.url(from: .string(text)))
    #expect(url.absoluteString == text)
    #expect(url.baseURL == nil)
    #expect(url == URL(string: text))
  }

  @Test(
    "A JSON string is the URL that it holds",
    arguments: [
      (#""https:\/\/a.b\/c?x=1""#, "https://a.b/c?x=1"), (#""x:y""#, "x:y"), (#""a\/b""#, "a/b"),
      (#""file:\/\/\/a%20b""#, "file:///a%20b"),
    ])
  func quoted(text: String, url: String) {
    #expect(URLCoding.url(from: .string(text))?.relativeString == url)
  }

  @Test(
    "A string that only begins or ends with a quotation mark is a path",
    arguments: [
      "\"", "\"a", "a\"", "\"a\"b\"",
    ])
  func unpairedQuotes(path: String) {
    #expect(URLCoding.url(from: .string(path))?.lastPathComponent == path)
  }

  @Test(
    "A string that is an absolute path is a file URL",
    arguments: [
      ("/", "file:///"), ("/a b/c", "file:///a%20b/c"), ("/a/", "file:///a/"),
      ("/a%20b", "file:///a%2520b"), ("/a?b#c", "file:///a%3Fb%23c"), ("/a/../b", "file:///a/../b"),
      ("//a", "file:////a"), ("/é", "file:///%C3%A9"), ("/e\u{301}", "file:///e%CC%81"),
      ("/x:y", "file:///x:y"), ("/~", "file:///~"), ("/a\0b", "file:///a%00b"),
      // An existing folder is not looked up.
      ("/tmp", "file:///tmp"),
    ])
  func path(path: String, text: String) {
    #expect(URLCoding.url(from: .string(path))?.absoluteString == text)
  }

  @Test(
    "A string that is not exactly a URL is a relative path",
    arguments: [
      "a", "a/b", "x#y", "%41", "http:", "1a:b", ":a", "a_b:c", "é:b", "Report: final.txt", "C:\\x",
      "http://a b", "http://é.com", "x:%zz", "x:\0", "http://[::1", "a~b",
      "~nobody~/x",
    ])
  func relativePath(path: String) throws {
    let url = try #require(URLCoding.url(from: .string(path)))
    let folder = FileManager.default.currentDirectoryPath
    #expect(url.isFileURL)
    #expect(url.absoluteURL.path(percentEncoded: false) == folder + "/" + path)
  }

  @Test("A leading tilde is the home folder of the current or the named user")
  func tilde() throws {
    let home = FileManager.default.homeDirectoryForCurrentUser.path
    #expect(URLCoding.url(from: "~")?.absoluteString == "file://\(home)")
    #expect(URLCoding.url(from: "~/")?.absoluteString == "file://\(home)/")
    #expect(URLCoding.url(from: "~/a b/")?.absoluteString == "file://\(home)/a%20b/")
    let root = try #require(FileManager.default.homeDirectory(forUser: "root")).path
    #expect(URLCoding.url(from: "~root/x")?.absoluteString == "file://\(root)/x")
  }

  @Test(
    "A value of another type is not a URL",
    arguments: [
      "", 1, 1.5, true, ["https://a.b"], ["a": "/b"], .date(Date()), .uid(1), .null,
      .set(["/a"]),
    ] as [PlistValue])
  func others(value: PlistValue) {
    #expect(URLCoding.url(from: value) == nil)
  }

  @Test(
    "A file URL is stored as its path, including a trailing slash",
    arguments: [
      "/", "/a b/c", "/a b/c/", "/a%20b", "/a?b#c", "/é", "/e\u{301}", "/a/../b", "/x:y", "/~",
    ])
  func storedPath(path: String) {
    let url = URL(filePath: path, directoryHint: .inferFromPath)
    #expect(URLCoding.value(for: url) == .string(path))
    #expect(URLCoding.url(from: .string(path)) == url)
  }

  @Test("A path in the home folder is stored in full")
  func storedHome() {
    let url = FileManager.default.homeDirectoryForCurrentUser.appending(path: "x")
    #expect(URLCoding.value(for: url) == .string(url.path))
  }

  @Test("A relative file URL is stored absolute")
  func storedRelativePath() {
    let url = URL(filePath: "a/b", directoryHint: .inferFromPath)
    #expect(url.baseURL != nil)
    #expect(URLCoding.value(for: url) == .string(url.path))
    #expect(URLCoding.url(from: URLCoding.value(for: url)) == url.absoluteURL)
  }

  @Test(
    "A URL that is more than a path is stored as an archive, and read from its text",
    arguments: [
      "https://a.b/c?x=1", "https://a.b/c?x=1#f", "https://a.b/%C3%A9%2F%20?q=%26&r=%25#%23",
      "http://a.b", "mailto:a@b", "a:b", "HTTP://A", "data:,a%20b", "http://h/../a//b/./c",
      "file:///a%20b?q=1#f", "file:///a#", "file://host/x", "file://localhost/x", "file:/a",
      "file:x", "file:~/x", "file:a:b", "file:///a%2Fb", "file:///%FF", "file:///a%62",
    ])
  func storedText(text: String) throws {
    let url = try Self.url(text)
    let stored = URLCoding.value(for: url)
    guard case .data(let archive) = stored else {
      Issue.record("not an archive")
      return
    }
    #expect(URLCoding.url(from: stored) == url)
    #expect(URLCoding.url(from: stored)?.absoluteString == text)
    #expect(URLCoding.url(from: .string(text)) == url)
    // As Foundation's own UserDefaults reads it.
    let object = try NSKeyedUnarchiver.unarchivedObject(ofClass: NSURL.self, from: archive)
    #expect(object?.absoluteString == text)
  }

  @Test(
    "A URL whose text would be read as another URL is stored as an archive",
    arguments: [
      ("rel/x?q#f", nil), ("x", nil), ("/a", nil), ("//h/p", nil), ("?q", nil), ("#f", nil),
      ("~/x", nil), ("./a:b", nil), ("http:", nil), ("file:", nil), ("%41", nil),
      ("rel?x", "http://h/b"), ("../../x#f", "https://u@h:1/a/b/c/d?q"), ("?q", "http://h/b"),
      ("#f", "http://h/b?q"), ("//o/p", "http://h/b"), ("x", "rel/y"), ("?q", "rel"),
      ("", "http://h/b?q#f"),
    ] as [(String, String?)])
  func storedArchive(text: String, base: String?) throws {
    let baseURL = base.flatMap { URL(string: $0) }
    let url = try #require(
      text.isEmpty
        ? URLComponents().url(relativeTo: baseURL) : URL(string: text, relativeTo: baseURL))
    let value = URLCoding.value(for: url)
    #expect(value.kind == .data)
    let again = try #require(URLCoding.url(from: value))
    #expect(again == url)
    #expect(again.relativeString == text)
    #expect(again.baseURL == baseURL)
    #expect(again.absoluteString == url.absoluteString)
  }

  @Test("An empty URL is read back")
  func empty() throws {
    let url = try #require(URLComponents().url)
    #expect(URLCoding.url(from: URLCoding.value(for: url)) == url)
  }

  @Test(
    "Megabytes are read in linear time", .timeLimit(.minutes(1)),
    arguments: ["a", "é", "/", "../", "%", "%41", ":", "~", "?", "#", "\0", "\u{301}", " "])
  func hostile(unit: String) throws {
    let length = 1_000_000
    let filler = String(repeating: unit, count: length)
    for start in ["", "/", "~", "~/", "x:", "http://", "http://h/"] {
      let url = try #require(URLCoding.url(from: .string(start + filler)), "\(start)")
      if unit == "a" { #expect(url.absoluteString.utf8.count >= length) }
    }
  }
}
