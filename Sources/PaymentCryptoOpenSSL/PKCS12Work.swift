import CLibcrypto

/// How often a PKCS#12 file has its password hashed before it opens.
///
/// The file says so itself, once for its integrity code and once for each thing that is encrypted: whoever made it could keep
/// its reader busy for hours.
enum PKCS12Work {
    /// Three times what careful writers ask for.
    static let maximumIterations = 2_000_000

    static func isBounded(integrityOf archive: OpaquePointer?) -> Bool {
        var iterations: UnsafePointer<ASN1_INTEGER>?
        PKCS12_get0_mac(nil, nil, nil, &iterations, archive)
        return isBounded(iterations)
    }

    /// Looks at everything that is encrypted, which takes the password. What cannot be read is left to those who read it.
    static func isBounded(contentsOf archive: OpaquePointer?, password: String) -> Bool {
        let parts = PKCS12_unpack_authsafes(archive)
        defer {
            free(parts) { PKCS7_free($0.assumingMemoryBound(to: PKCS7.self)) }
            ERR_clear_error()
        }
        return items(parts).allSatisfy { item in
            let part = item.assumingMemoryBound(to: PKCS7.self)
            let bags: OpaquePointer?
            switch OBJ_obj2nid(part.pointee.type) {
            case NID_pkcs7_data: bags = PKCS12_unpack_p7data(part)
            case NID_pkcs7_encrypted:
                guard let content = part.pointee.d.encrypted?.pointee.enc_data, isBounded(content.pointee.algorithm) else { return false }
                bags = PKCS12_unpack_p7encdata(part, password, -1)
            default: return true
            }
            defer { free(bags) { PKCS12_SAFEBAG_free(OpaquePointer($0)) } }
            return areBounded(bags)
        }
    }

    private static func areBounded(_ bags: OpaquePointer?) -> Bool {
        items(bags).allSatisfy { item in
            let bag = OpaquePointer(item)
            switch PKCS12_SAFEBAG_get_nid(bag) {
            case NID_pkcs8ShroudedKeyBag:
                var algorithm: UnsafePointer<X509_ALGOR>?
                X509_SIG_get0(PKCS12_SAFEBAG_get0_pkcs8(bag), &algorithm, nil)
                return isBounded(algorithm)
            case NID_safeContentsBag: return areBounded(PKCS12_SAFEBAG_get0_safes(bag))
            default: return true
            }
        }
    }

    /// PBKDF2, and what came before it. Anything else, such as scrypt, is not taken: its work is not one number.
    private static func isBounded(_ algorithm: UnsafePointer<X509_ALGOR>?) -> Bool {
        var name: OpaquePointer?
        var kind: CInt = 0
        var value: UnsafeRawPointer?
        X509_ALGOR_get0(&name, &kind, &value, algorithm)
        guard kind == V_ASN1_SEQUENCE, let text = value?.assumingMemoryBound(to: ASN1_STRING.self) else { return false }
        var start = ASN1_STRING_get0_data(text)
        let count = Int(ASN1_STRING_length(text))
        switch OBJ_obj2nid(name) {
        case NID_pbes2:
            guard let parameters = d2i_PBE2PARAM(nil, &start, count) else { return false }
            defer { PBE2PARAM_free(parameters) }
            return isBounded(parameters.pointee.keyfunc)
        case NID_id_pbkdf2:
            guard let parameters = d2i_PBKDF2PARAM(nil, &start, count) else { return false }
            defer { PBKDF2PARAM_free(parameters) }
            return isBounded(parameters.pointee.iter)
        default:
            guard let parameters = d2i_PBEPARAM(nil, &start, count) else { return false }
            defer { PBEPARAM_free(parameters) }
            return isBounded(parameters.pointee.iter)
        }
    }

    /// Without a number it is once.
    private static func isBounded(_ iterations: UnsafePointer<ASN1_INTEGER>?) -> Bool {
        guard let iterations else { return true }
        return (1...maximumIterations).contains(ASN1_INTEGER_get(iterations))
    }

    private static func items(_ list: OpaquePointer?) -> [UnsafeMutableRawPointer] {
        (0..<max(0, OPENSSL_sk_num(list))).compactMap { OPENSSL_sk_value(list, $0) }
    }

    private static func free(_ list: OpaquePointer?, each free: (UnsafeMutableRawPointer) -> Void) {
        items(list).forEach(free)
        OPENSSL_sk_free(list)
    }
}
