import Foundation
import Testing

@testable import AppContainer

/// The JavaScript half of the bridge for React Native, in an engine with as much of React as it touches.
struct ReactNativeBridgeTests {
    /// Answers as the native module does: by promises, with a code where it refuses.
    private static let native = """
        const answered = (name) => (card) => {
          log.push(name + " " + card);
          return card === "gone" ? Promise.reject(Object.assign(new Error("no such card"), { code: "unknown-card" })) : Promise.resolve({ name });
        };
        const BillfoldWallet = {
          showButton: answered("showButton"), containsCard: answered("containsCard"), activationState: answered("activationState"),
          addCard: answered("addCard"),
        };
        """

    /// What is logged while a page's code runs and until its promises are settled.
    private func log(_ body: String, modules: String = "{ BillfoldWallet }") throws -> [String] {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let script = try String(contentsOf: root.appending(path: "Bridges/ReactNative/index.js"), encoding: .utf8)
        let engine = try JavaScriptEngine()
        _ = try engine.evaluate(
            """
            const log = [];
            \(Self.native)
            const react = { NativeModules: \(modules), requireNativeComponent(name) { log.push("component " + name); return { name }; } };
            const loaded = {};
            ((require, module) => { \(script) })((name) => { log.push("require " + name); return react; }, loaded);
            const wallet = loaded.exports;
            const tell = (promise) => promise.then((value) => log.push(JSON.stringify(value)), (error) => log.push("refused " + error.code));
            \(body)
            """, name: "index.js")
        return engine.text(try engine.evaluate("log.join('\\n')", name: "log")).split(separator: "\n").map(String.init)
    }

    @Test func fourFunctionsReachTheModule() throws {
        let log = try log(
            """
            tell(wallet.showButton("c")); tell(wallet.containsCard("c")); tell(wallet.activationState("c")); tell(wallet.addCard("c"));
            """)
        let names = ["showButton", "containsCard", "activationState", "addCard"]
        #expect(Array(log.prefix(5)) == ["require react-native"] + names.map { "\($0) c" })
        #expect(log.dropFirst(5).sorted() == names.map { #"{"name":"\#($0)"}"# }.sorted())
    }

    @Test(arguments: ["containsCard", "activationState", "addCard", "showButton"])
    func refusalsKeepTheirCode(name: String) throws {
        #expect(try log(#"tell(wallet.\#(name)("gone"))"#).last == "refused unknown-card")
    }

    @Test(arguments: ["", "1", "null", "{}", #""""#])
    func cardIsAText(argument: String) throws {
        #expect(try log("tell(wallet.addCard(\(argument)))") == ["require react-native", "refused message-malformed"])
    }

    /// On a system without the native half.
    @Test func withoutTheModuleThereIsNoButton() throws {
        let log = try log(#"tell(wallet.showButton("c")); tell(wallet.addCard("c"))"#, modules: "{}")
        #expect(Set(log.dropFirst()) == [#"{"state":0,"devices":[]}"#, "refused no-wallet"])
    }

    @Test func componentIsRegisteredOnceAndWhenItIsAskedFor() throws {
        #expect(try log("") == ["require react-native"])
        let log = try log("log.push(wallet.AddPassButton === wallet.AddPassButton)")
        #expect(log == ["require react-native", "component BillfoldAddPassButton", "true"])
    }

    @Test func nobodyChangesTheFunctions() throws {
        let log = try log(#"wallet.addCard = () => log.push("changed"); tell(wallet.addCard("c"))"#)
        #expect(log.contains("addCard c") && !log.contains("changed"))
    }
}
