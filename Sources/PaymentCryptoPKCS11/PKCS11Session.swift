import CP11Kit
import PaymentCrypto

/// One logged-in session of a token, used by one thread at a time.
final class PKCS11Session {
    /// A failed call, before it becomes one of our errors.
    struct Refusal: Error, Equatable {
        var function: String
        var result: CK_RV

        /// Not a call that failed: the token answered that it has no such key.
        static let missingKey = Refusal(function: "find key", result: CK_RV(CKR_OK))
    }

    private let library: PKCS11Library
    private let handle: CK_SESSION_HANDLE
    /// The library's when the session was opened: later it is gone.
    let generation: Int
    private var objects: [ObjectName: CK_OBJECT_HANDLE] = [:]

    private struct ObjectName: Hashable {
        var label: String
        var kind: CK_OBJECT_CLASS
    }

    /// - Parameter isReadWrite: Whether objects can be made.
    init(_ library: PKCS11Library, slot: CK_SLOT_ID, pin: SecretPIN, isReadWrite: Bool, generation: Int) throws {
        guard let open = library.functions.C_OpenSession, let logIn = library.functions.C_Login,
            let close = library.functions.C_CloseSession
        else { throw Refusal(function: "C_OpenSession", result: CK_RV(CKR_FUNCTION_NOT_SUPPORTED)) }
        var handle: CK_SESSION_HANDLE = 0
        let flags = CK_FLAGS(CKF_SERIAL_SESSION) | (isReadWrite ? CK_FLAGS(CKF_RW_SESSION) : 0)
        let opened = open(slot, flags, nil, nil, &handle)
        guard opened == CKR_OK else { throw Refusal(function: "C_OpenSession", result: opened) }
        // A login is the process's, and another session's thread may have made it already.
        let result = pin.withBytes { logIn(handle, CK_USER_TYPE(CKU_USER), $0.baseAddress, CK_ULONG($0.count)) }
        guard result == CKR_OK || result == CKR_USER_ALREADY_LOGGED_IN else {
            _ = close(handle)
            throw Refusal(function: "C_Login", result: result)
        }
        self.library = library
        self.handle = handle
        self.generation = generation
    }

    deinit {
        // Another session may have got the number of one that is gone.
        library.use { current in if current == generation { _ = library.functions.C_CloseSession?(handle) } }
    }

    /// The only key of that label and class. Throws ``Refusal/missingKey`` where there is none, or more than one.
    func key(_ label: String, _ kind: CK_OBJECT_CLASS) throws -> CK_OBJECT_HANDLE {
        guard let key = try object(label, kind) else { throw Refusal.missingKey }
        return key
    }

    func object(_ label: String, _ kind: CK_OBJECT_CLASS) throws -> CK_OBJECT_HANDLE? {
        let name = ObjectName(label: label, kind: kind)
        if let known = objects[name] { return known }
        var found = [CK_OBJECT_HANDLE](repeating: 0, count: 2)
        var count: CK_ULONG = 0
        try withTemplate([.number(CK_ULONG(CKA_CLASS), kind), .bytes(CK_ULONG(CKA_LABEL), Array(label.utf8))]) { template in
            try call("C_FindObjectsInit", function: library.functions.C_FindObjectsInit) {
                $0(handle, template.baseAddress, CK_ULONG(template.count))
            }
        }
        let search = Result {
            try call("C_FindObjects", function: library.functions.C_FindObjects) { $0(handle, &found, 2, &count) }
        }
        try call("C_FindObjectsFinal", function: library.functions.C_FindObjectsFinal) { $0(handle) }
        try search.get()
        guard count == 1 else { return nil }
        objects[name] = found[0]
        return found[0]
    }

    /// Triple DES in CBC mode from a vector of zeros, without padding.
    func encrypt(_ blocks: SecretBytes, key: CK_OBJECT_HANDLE) throws -> [UInt8] {
        var vector = [UInt8](repeating: 0, count: 8)
        try withMechanism(CK_MECHANISM_TYPE(CKM_DES3_CBC), parameter: &vector) { mechanism in
            try call("C_EncryptInit", function: library.functions.C_EncryptInit) { $0(handle, mechanism, key) }
        }
        var (input, output, count) = (blocks.reveal(), [UInt8](repeating: 0, count: blocks.count), CK_ULONG(blocks.count))
        defer { input.wipe() }
        try call("C_Encrypt", function: library.functions.C_Encrypt) { $0(handle, &input, CK_ULONG(blocks.count), &output, &count) }
        return Array(output.prefix(Int(count)))
    }

    /// RSASSA-PKCS1-v1_5 over the message, which the token hashes.
    func sign(_ message: SecretBytes, mechanism type: CK_MECHANISM_TYPE, key: CK_OBJECT_HANDLE) throws -> [UInt8] {
        var none: [UInt8] = []
        try withMechanism(type, parameter: &none) { mechanism in
            try call("C_SignInit", function: library.functions.C_SignInit) { $0(handle, mechanism, key) }
        }
        // As long as the largest modulus that we take, 8192 bits.
        var (input, output, count) = (message.reveal(), [UInt8](repeating: 0, count: 1_024), CK_ULONG(1_024))
        defer { input.wipe() }
        try call("C_Sign", function: library.functions.C_Sign) { $0(handle, &input, CK_ULONG(message.count), &output, &count) }
        return Array(output.prefix(Int(count)))
    }

    /// An attribute that is not secret.
    func attribute(_ type: CK_ATTRIBUTE_TYPE, of object: CK_OBJECT_HANDLE) throws -> [UInt8] {
        var value = [UInt8](repeating: 0, count: 2_048)
        let count = try value.withUnsafeMutableBytes { bytes -> Int in
            var attribute = CK_ATTRIBUTE(type: type, pValue: bytes.baseAddress, ulValueLen: CK_ULONG(bytes.count))
            try call("C_GetAttributeValue", function: library.functions.C_GetAttributeValue) { $0(handle, object, &attribute, 1) }
            return Int(attribute.ulValueLen)
        }
        return Array(value.prefix(count))
    }

    /// Makes an object that stays on the token.
    func create(_ attributes: [Attribute]) throws {
        try withTemplate(attributes) { template in
            var object: CK_OBJECT_HANDLE = 0
            try call("C_CreateObject", function: library.functions.C_CreateObject) {
                $0(handle, template.baseAddress, CK_ULONG(template.count), &object)
            }
        }
    }

    // MARK: Calling

    /// One attribute of a template.
    enum Attribute {
        case number(CK_ATTRIBUTE_TYPE, CK_ULONG)
        case flag(CK_ATTRIBUTE_TYPE, Bool)
        case bytes(CK_ATTRIBUTE_TYPE, [UInt8])
    }

    private func call<Function>(_ name: String, function: Function?, body: (Function) -> CK_RV) throws {
        guard let function else { throw Refusal(function: name, result: CK_RV(CKR_FUNCTION_NOT_SUPPORTED)) }
        let result = body(function)
        guard result == CKR_OK else { throw Refusal(function: name, result: result) }
    }

    private func withMechanism(
        _ type: CK_MECHANISM_TYPE, parameter: inout [UInt8], _ body: (UnsafeMutablePointer<CK_MECHANISM>) throws -> Void
    ) throws {
        try parameter.withUnsafeMutableBytes { bytes in
            var mechanism = CK_MECHANISM(
                mechanism: type, pParameter: bytes.isEmpty ? nil : bytes.baseAddress, ulParameterLen: CK_ULONG(bytes.count))
            try withUnsafeMutablePointer(to: &mechanism) { try body($0) }
        }
    }

    /// Lends a template whose values lie in memory of its own, which is overwritten afterwards.
    private func withTemplate(
        _ attributes: [Attribute], _ body: (UnsafeMutableBufferPointer<CK_ATTRIBUTE>) throws -> Void
    ) throws {
        let values: [(CK_ATTRIBUTE_TYPE, [UInt8])] = attributes.map { attribute in
            switch attribute {
            case .number(let type, let value): (type, withUnsafeBytes(of: value) { Array($0) })
            case .flag(let type, let value): (type, [value ? CK_BBOOL(CK_TRUE) : CK_BBOOL(CK_FALSE)])
            case .bytes(let type, let value): (type, value)
            }
        }
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: max(1, values.reduce(0) { $0 + $1.1.count }), alignment: 8)
        defer {
            memory.initializeMemory(as: UInt8.self, repeating: 0)
            memory.deallocate()
        }
        var (template, offset): ([CK_ATTRIBUTE], Int) = ([], 0)
        for (type, value) in values {
            UnsafeMutableRawBufferPointer(rebasing: memory[offset...]).copyBytes(from: value)
            template.append(
                CK_ATTRIBUTE(type: type, pValue: memory.baseAddress.map { $0 + offset }, ulValueLen: CK_ULONG(value.count)))
            offset += value.count
        }
        let count = template.count
        try template.withUnsafeMutableBufferPointer { buffer in
            try body(UnsafeMutableBufferPointer(rebasing: buffer[..<count]))
        }
    }
}
