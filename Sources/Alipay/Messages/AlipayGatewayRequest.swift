/// What was sent to `/gateway.do`, of either generation, told apart by `method` and `service`.
public enum AlipayGatewayRequest: Sendable, Hashable {
    case modern(ModernRequest)
    case legacy(LegacyServiceRequest)

    /// What becomes of a charset that only the body names.
    public enum CharsetMode: String, Sendable, Hashable, CaseIterable {
        /// As documented: a post's charset must be in the URL, or the text is read as GBK and the signature does not fit.
        case documented
        /// Several libraries put everything into the body: its charset counts as well [O].
        case lenient
    }

    /// Reads parameters from query and body together. What stands in both with the same bytes counts once: clients name their charset in
    /// the address and in the form (alipay.md#request-charset) [O]. With different bytes a key is `duplicate-key`, and a charset
    /// `unsupported`, unless both name the same one (`UTF-8`, `utf-8`).
    ///
    /// `missing-parameter` without `method` and `service`; `malformed`, `too-large`, `unsupported`.
    public init(query: [UInt8], body: [UInt8] = [], mode: CharsetMode = .documented) throws(AlipayError) {
        try self.init(inQuery: AlipayParameters(call: query), inBody: AlipayParameters(call: body), mode: mode)
    }

    /// The same for a call that brings a file: the text parts of its body are parameters, the files are not.
    public init(query: [UInt8], form: MultipartForm, mode: CharsetMode = .documented) throws(AlipayError) {
        let inQuery = try AlipayParameters(call: query)
        var inBody = AlipayParameters()
        for part in form.parts where part.fileName == nil { try inBody.append(part.name, part.bytes) }
        try self.init(inQuery: inQuery, inBody: inBody, mode: mode)
    }

    private init(inQuery: AlipayParameters, inBody: AlipayParameters, mode: CharsetMode) throws(AlipayError) {
        var parameters = try inQuery.joined(with: inBody)
        let hasQueryCharset = inQuery.bytes("charset") != nil || inQuery.bytes("_input_charset") != nil
        let isModern = parameters.bytes("method") != nil
        guard isModern || parameters.bytes("service") != nil else {
            throw AlipayError(code: .missingParameter, reason: "method and service are missing")
        }
        parameters.charset =
            isModern ? try ModernRequest.charset(of: parameters) : try LegacyOrder.charset(of: parameters.bytes("_input_charset"))
        let transport: AlipayCharset = hasQueryCharset || mode == .lenient ? parameters.charset : .gbk
        self =
            isModern
            ? .modern(ModernRequest(parameters, transportCharset: transport))
            : .legacy(LegacyServiceRequest(parameters, transportCharset: transport))
    }
}
