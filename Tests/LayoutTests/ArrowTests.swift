import Testing

struct ArrowTests {
    @Test func sourcesAreFound() {
        #expect(Sources.swift.count > 20)
        #expect(Sources.swift.contains { $0.path == "Sources/BillfoldMoney/Amount.swift" })
    }

    @Test func everyTargetHasItsLine() {
        for target in Set(Sources.swift.map(\.target)) {
            #expect(Arrows.allowed[target] != nil, "\(target) has no line in Arrows.swift")
        }
    }

    @Test func importsFollowTheArrows() {
        let ours = Set(Arrows.allowed.keys).union([
            "CLibcrypto", "CP11Kit", "CLibpq", "CArchive", "CWipeOnFree", "CBuildStamp", "CJavaScriptCore", "CCodeReader", "CWorkerSandbox",
            "BillfoldTestSupport", "BillfoldServerTestSupport",
        ])
        for file in Sources.swift {
            for module in file.imports where ours.contains(module) && module != file.target {
                #expect(Arrows.allowed[file.target]?.contains(module) == true, "\(file) must not import \(module)")
            }
        }
    }

    @Test func outsideLibrariesStayInTheirPlace() {
        for file in Sources.swift {
            for module in file.imports {
                guard let places = Arrows.outside[module] else { continue }
                #expect(places.contains(file.target), "\(file) must not import \(module)")
            }
        }
    }

    @Test func noForbiddenArrowExistsOverAnyNumberOfSteps() {
        var direct: [String: Set<String>] = [:]
        for file in Sources.swift { direct[file.target, default: []].formUnion(file.imports) }
        for rule in Arrows.forbidden {
            for start in rule.from {
                var (reached, queue): (Set<String>, [String]) = ([], [start])
                while let target = queue.popLast() {
                    for next in direct[target] ?? [] where reached.insert(next).inserted { queue.append(next) }
                }
                let wrong = reached.intersection(rule.to)
                #expect(wrong.isEmpty, "\(start) reaches \(wrong.sorted()): \(rule.why)")
            }
        }
    }

    @Test func allowedArrowsHaveNoCycle() {
        // Protocols may be imported by each other only one way; a cycle among the lines would be a contradiction in the data.
        for start in Arrows.allowed.keys {
            var (reached, queue): (Set<String>, [String]) = ([], Array(Arrows.allowed[start] ?? []))
            while let target = queue.popLast() {
                if reached.insert(target).inserted { queue += Arrows.allowed[target] ?? [] }
            }
            #expect(!reached.contains(start) || Arrows.servers.contains(start), "\(start) may reach itself")
        }
    }

    @Test(arguments: [
        ("import Foundation", ["Foundation"]), ("public import struct BillfoldMoney.Amount", ["BillfoldMoney"]),
        ("@testable import UnionPay", ["UnionPay"]),
        ("// import GRDB", []), ("let x = \"import GRDB\"", []), ("/* import GRDB\n*/ import A", ["A"]),
        ("  internal import B // why", ["B"]),
        ("@_spi(X) public import C", ["C"]), ("important(thing)", []),
    ])
    func importsAreRead(text: String, modules: [String]) {
        #expect(Sources.File(path: "Sources/X/Y.swift", text: text).imports == modules)
    }
}
