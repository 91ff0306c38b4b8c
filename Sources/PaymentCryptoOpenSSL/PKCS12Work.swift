import CLibcrypto

/// How often a PKCS#12 file has its password hashed until it is open.
///
/// The file says so itself, once for its integrity code and once for each thing that is encrypted: whoever made it could keep
/// its reader busy for hours. What opening takes is planned before it is done, and the sum of it is bounded.
struct PKCS12Work {
    /// The most that one number in the file may say: three times what careful writers ask for.
    static let maximumIterations = 2_000_000
    /// The most of one file together: its integrity code and its certificates at that number, hashed twice, and the key.
    static let maximumRounds = 10_000_000

    /// PBMAC1 (RFC 9579), which newer libraries take: its rounds are not where those of older integrity codes are.
    private static let pbmac1 = "1.2.840.113549.1.5.14"

    private let allowed: Int
    private var planned = 0
    private(set) var spent = 0

    init(allowed: Int) { self.allowed = min(allowed, Self.maximumRounds) }

    /// What the file's own reader will have spent when it is done.
    mutating func spendAll() { spent = planned }

    /// Plans for the integrity code, which is made twice: here, and by the library when it reads the file. The first is paid for at once.
    mutating func plan(integrityOf archive: OpaquePointer?) throws(PaymentCryptoOpenSSLError) {
        var algorithm: UnsafePointer<X509_ALGOR>?
        var iterations: UnsafePointer<ASN1_INTEGER>?
        PKCS12_get0_mac(nil, &algorithm, nil, &iterations, archive)
        let rounds =
            if Self.isPBMAC1(algorithm) { Self.rounds(ofParametersLikePBES2: algorithm) } else { Self.rounds(iterations) }
        try plan(rounds, times: 2)
        spent += rounds ?? 0
    }

    /// Plans for everything that is encrypted, which takes the password. What cannot be read is left to those who read it.
    mutating func plan(contentsOf archive: OpaquePointer?, password: String) throws(PaymentCryptoOpenSSLError) {
        let parts = PKCS12_unpack_authsafes(archive)
        defer {
            Self.free(parts) { PKCS7_free($0.assumingMemoryBound(to: PKCS7.self)) }
            ERR_clear_error()
        }
        for item in Self.items(parts) {
            let part = item.assumingMemoryBound(to: PKCS7.self)
            let bags: OpaquePointer?
            switch OBJ_obj2nid(part.pointee.type) {
            case NID_pkcs7_data: bags = PKCS12_unpack_p7data(part)
            case NID_pkcs7_encrypted:
                let rounds = part.pointee.d.encrypted?.pointee.enc_data.flatMap { Self.rounds($0.pointee.algorithm) }
                // Opened here, to see what lies inside, and by the library.
                try plan(rounds, times: 2)
                spent += rounds ?? 0
                bags = PKCS12_unpack_p7encdata(part, password, -1)
            default: continue
            }
            defer { Self.free(bags) { PKCS12_SAFEBAG_free(OpaquePointer($0)) } }
            try plan(bags: bags)
        }
    }

    private mutating func plan(bags: OpaquePointer?) throws(PaymentCryptoOpenSSLError) {
        for item in Self.items(bags) {
            let bag = OpaquePointer(item)
            switch PKCS12_SAFEBAG_get_nid(bag) {
            case NID_pkcs8ShroudedKeyBag:
                var algorithm: UnsafePointer<X509_ALGOR>?
                X509_SIG_get0(PKCS12_SAFEBAG_get0_pkcs8(bag), &algorithm, nil)
                try plan(Self.rounds(algorithm), times: 1)
            case NID_safeContentsBag: try plan(bags: PKCS12_SAFEBAG_get0_safes(bag))
            default: continue
            }
        }
    }

    /// Refuses what is more than one number or the sum may be, and work that is not one number.
    private mutating func plan(_ rounds: Int?, times: Int) throws(PaymentCryptoOpenSSLError) {
        guard let rounds else {
            throw PaymentCryptoOpenSSLError(code: .malformedArchive, reason: "the file has its password hashed in an unusual way")
        }
        guard rounds <= Self.maximumIterations else { throw Self.tooMuch(rounds, of: Self.maximumIterations) }
        planned += rounds * times
        guard planned <= allowed else { throw Self.tooMuch(planned, of: allowed) }
    }

    private static func tooMuch(_ rounds: Int, of allowed: Int) -> PaymentCryptoOpenSSLError {
        var error = PaymentCryptoOpenSSLError(
            code: .malformedArchive, reason: "the file has its password hashed \(rounds) times at least, and it may be \(max(0, allowed))")
        error.rounds = rounds
        return error
    }

    /// PBKDF2, and what came before it. Anything else, such as scrypt, is not taken: its work is not one number.
    private static func rounds(_ algorithm: UnsafePointer<X509_ALGOR>?) -> Int? {
        guard let found = parameters(algorithm) else { return nil }
        var start = found.start
        switch OBJ_obj2nid(found.name) {
        case NID_pbes2: return rounds(ofParametersLikePBES2: algorithm)
        case NID_id_pbkdf2:
            guard let parameters = d2i_PBKDF2PARAM(nil, &start, found.count) else { return nil }
            defer { PBKDF2PARAM_free(parameters) }
            return rounds(parameters.pointee.iter)
        default:
            guard let parameters = d2i_PBEPARAM(nil, &start, found.count) else { return nil }
            defer { PBEPARAM_free(parameters) }
            return rounds(parameters.pointee.iter)
        }
    }

    /// Of an algorithm whose parameters are two algorithms, the first of which derives the key.
    private static func rounds(ofParametersLikePBES2 algorithm: UnsafePointer<X509_ALGOR>?) -> Int? {
        guard let found = parameters(algorithm) else { return nil }
        var start = found.start
        guard let parameters = d2i_PBE2PARAM(nil, &start, found.count) else { return nil }
        defer { PBE2PARAM_free(parameters) }
        var name: OpaquePointer?
        X509_ALGOR_get0(&name, nil, nil, parameters.pointee.keyfunc)
        // One level and no more: a key that is derived by two algorithms again is none that anybody writes.
        guard OBJ_obj2nid(name) != NID_pbes2 else { return nil }
        return rounds(parameters.pointee.keyfunc)
    }

    private static func parameters(
        _ algorithm: UnsafePointer<X509_ALGOR>?
    ) -> (name: OpaquePointer?, start: UnsafePointer<UInt8>?, count: Int)? {
        guard let algorithm else { return nil }
        var name: OpaquePointer?
        var kind: CInt = 0
        var value: UnsafeRawPointer?
        X509_ALGOR_get0(&name, &kind, &value, algorithm)
        guard kind == V_ASN1_SEQUENCE, let text = value?.assumingMemoryBound(to: ASN1_STRING.self) else { return nil }
        return (name, ASN1_STRING_get0_data(text), Int(ASN1_STRING_length(text)))
    }

    private static func isPBMAC1(_ algorithm: UnsafePointer<X509_ALGOR>?) -> Bool {
        guard let algorithm else { return false }
        var name: OpaquePointer?
        X509_ALGOR_get0(&name, nil, nil, algorithm)
        var text = [CChar](repeating: 0, count: 64)
        guard name != nil, OBJ_obj2txt(&text, CInt(text.count), name, 1) > 0 else { return false }
        return text.starts(with: pbmac1.utf8CString)
    }

    /// Without a number it is once; nil for a number that counts nothing.
    private static func rounds(_ iterations: UnsafePointer<ASN1_INTEGER>?) -> Int? {
        guard let iterations else { return 1 }
        let rounds = ASN1_INTEGER_get(iterations)
        return rounds >= 1 ? rounds : nil
    }

    private static func items(_ list: OpaquePointer?) -> [UnsafeMutableRawPointer] {
        (0..<max(0, OPENSSL_sk_num(list))).compactMap { OPENSSL_sk_value(list, $0) }
    }

    private static func free(_ list: OpaquePointer?, each free: (UnsafeMutableRawPointer) -> Void) {
        items(list).forEach(free)
        OPENSSL_sk_free(list)
    }
}
