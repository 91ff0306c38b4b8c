import Alipay
import Testing

struct ParameterTests {
    /// Few keys are compared one by one, many are looked up.
    @Test(arguments: [1, 2, 39, 40, 41, 42, 512])
    func aKeyThatComesAgainIsRefusedAmongFewAndMany(_ count: Int) throws {
        let pairs = (0..<count).map { (name: "k\($0)", value: "v\($0)") }
        #expect(try AlipayParameters(pairs)["k\(count - 1)"] == "v\(count - 1)")
        for again in Set([0, count / 2, count - 1]) {
            #expect(throws: refused(.duplicateKey)) { try AlipayParameters(pairs + [(pairs[again].name, "w")]) }
            let form = (pairs + [(pairs[again].name, "")]).map { "\($0.name)=\($0.value)" }.joined(separator: "&")
            #expect(throws: refused(.duplicateKey)) { try AlipayParameters(form: bytes(form)) }
        }
    }

    @Test func signedTextIsInTheOrderOfTheKeysBytes() throws {
        let parameters = try AlipayParameters(
            [
                ("b", "1"), ("a_b", "2"), ("aB", "3"), ("ab", "4"), ("a", "5"), ("a.b", "6"), ("a-b", "7"), ("A", "8"), ("empty", ""),
                ("out", "9"),
            ])
        #expect(parameters.sortedText(without: ["out"]) == bytes("A=8&a=5&a-b=7&a.b=6&aB=3&a_b=2&ab=4&b=1"))
    }
}
