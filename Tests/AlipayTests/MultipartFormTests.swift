import Alipay
import Testing

struct MultipartFormTests {
    private static let good =
        "--b\r\nContent-Disposition: form-data; name=\"service\"\r\n\r\nforex_refund_file\r\n"
        + "--b\r\ncontent-type: text/plain\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.txt\"\r\n\r\nx|y\r\n--no\r\n\r\n--b--\r\n"

    private func read(_ text: String, boundary: String = "b") throws -> MultipartForm {
        try MultipartForm(Array(text.utf8), boundary: boundary)
    }

    @Test func parametersAndFilesAreToldApart() throws {
        let form = try read(Self.good)
        #expect(form.parts.map(\.name) == ["service", "file"])
        #expect(form.file == Array("x|y\r\n--no\r\n".utf8))
        let request = try AlipayGatewayRequest(query: Array("_input_charset=utf-8".utf8), form: form)
        guard case .legacy(let call) = request else {
            Issue.record("it is no legacy call")
            return
        }
        #expect(call.service == "forex_refund_file" && call.parameters.bytes("file") == nil)
    }

    @Test(
        arguments: [
            ("multipart/form-data; boundary=b", "b"), ("Multipart/Form-Data;charset=utf-8; boundary=\"a:b\"", "a:b"),
            ("multipart/form-data", nil), ("application/x-www-form-urlencoded; boundary=b", nil), ("multipart/form-data; boundary=", nil),
            ("multipart/form-data; boundary=a; boundary=b", nil), ("multipart/form-data; boundary=a b", nil),
        ] as [(String, String?)])
    func theBoundaryStandsInTheMediaType(text: String, boundary: String?) {
        #expect(MultipartForm.boundary(ofMediaType: text) == boundary)
    }

    @Test(
        arguments: [
            ("", "malformed"), ("--b--", nil), ("--b\r\n", "malformed"), ("--b\r\n\r\n\r\n--b--", "malformed"),
            ("--b\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\nx\r\n--b", "malformed"),
            ("--b\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\nx\r\n--b--tail", "malformed"),
            ("--b\r\nContent-Disposition: form-data; name=\"a b\"\r\n\r\nx\r\n--b--", "malformed"),
            ("--b\r\nContent-Disposition: attachment; name=\"a\"\r\n\r\nx\r\n--b--", "malformed"),
            (
                "--b\r\nContent-Disposition: form-data; name=\"a\"\r\nContent-Disposition: form-data; name=\"c\"\r\n\r\nx\r\n--b--",
                "malformed"
            ),
            (
                "--b\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\nx\r\n--b\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\nx\r\n--b--",
                "duplicate-key"
            ),
        ] as [(String, String?)])
    func aBodyIsReadStrictly(text: String, code: String?) {
        do {
            _ = try read(text)
            #expect(code == nil, "\(text)")
        } catch {
            #expect((error as? AlipayError)?.code.description == code, "\(text)")
        }
    }

    @Test func everyTruncationIsRefusedOrTheSame() throws {
        let bytes = Array(Self.good.utf8)
        for length in 0..<(bytes.count - 2) {
            #expect(throws: AlipayError.self) { try MultipartForm(Array(bytes[..<length]), boundary: "b") }
        }
        #expect(try MultipartForm(Array(bytes[..<(bytes.count - 2)]), boundary: "b") == read(Self.good))
    }
}
