import BillfoldJSON
import Testing

struct BillfoldJSONExample {
    @Test func example() throws {
        // Example
        let bytes = Array(#"{"amount":1.50,"order":{"id":"A1"}}"#.utf8)
        let object = try JSONReader.readObject(bytes)
        let amount = object["amount"]?.scalar  // "1.50", as it was written
        let order = object.member("order").map { Array(bytes[$0.range]) }  // the bytes of {"id":"A1"}
        let written = JSONWriter.write(object)  // equal to bytes

        struct Receipt: Codable, Equatable {
            var paid: Bool
            var order: String
        }
        let row = try JSONDocument.encode(Receipt(paid: true, order: "A1"))  // {"order":"A1","paid":true}
        let receipt = try JSONDocument.decode(Receipt.self, row)
        // End
        #expect(amount == "1.50")
        #expect(order == Array(#"{"id":"A1"}"#.utf8))
        #expect(written == bytes)
        #expect(row == Array(#"{"order":"A1","paid":true}"#.utf8))
        #expect(receipt == Receipt(paid: true, order: "A1"))
    }
}
