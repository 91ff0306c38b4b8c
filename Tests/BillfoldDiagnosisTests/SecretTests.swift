import BillfoldDiagnosis
import Foundation
import Testing

struct SecretTests {
    struct Holder {
        var label = "holder"
        var secret = Secret("hunter2-hunter2")
        var optional: Secret<[UInt8]>? = Secret(Array("hunter2-hunter2".utf8))
    }

    /// Everything a program does to turn a value into text without asking it.
    static let printers: [(name: String, print: @Sendable (Any) -> String)] = [
        ("interpolation", { "\($0)" }),
        ("String(describing:)", { String(describing: $0) }),
        ("String(reflecting:)", { String(reflecting: $0) }),
        (
            "dump",
            {
                var text = ""
                dump($0, to: &text)
                return text
            }
        ),
        ("array", { "\([$0])" }),
        ("dictionary", { "\(["key": $0])" }),
        ("optional", { "\(Optional($0) as Any)" }),
        ("mirror", { subject in Mirror(reflecting: subject).children.map { "\($0.label ?? "")=\($0.value)" }.joined() }),
        ("localizedDescription", { "\(NSString(string: "\($0)"))" }),
    ]

    @Test(arguments: printers.map(\.name))
    func secretDoesNotPrint(printer: String) throws {
        let print = try #require(Self.printers.first { $0.name == printer }).print
        let bytes = Array("hunter2".utf8)
        for subject in [Secret("hunter2-hunter2"), Secret(bytes), Secret(Optional("hunter2")), Holder()] as [Any] {
            let text = print(subject)
            #expect(!text.contains("hunter") && !text.contains("104, 117"), "\(text)")
            #expect(!text.contains("\(bytes.count) elements"), "a secret's length showed: \(text)")
        }
    }

    @Test func descriptionIsConstant() {
        #expect("\(Secret(""))" == "\(Secret("a much longer value"))")
        #expect(Secret("x").debugDescription == Secret(Array(repeating: UInt8(7), count: 9)).debugDescription)
        #expect(Mirror(reflecting: Secret("x")).children.isEmpty)
    }

    @Test func secretHasNoEncoder() {
        let secret: Any = Secret("hunter2")
        #expect(!(secret is any Encodable))
        #expect(!(secret is any LosslessStringConvertible))
        #expect(!(secret is any RawRepresentable))
    }

    @Test func revealHandsOutTheValue() { #expect(Secret("hunter2").reveal() == "hunter2") }
}
