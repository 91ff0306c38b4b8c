CREATE TABLE public.audit_rows (
    merchant text NOT NULL,
    chain text NOT NULL,
    sequence bigint NOT NULL,
    at bigint NOT NULL,
    actor text NOT NULL,
    action text NOT NULL,
    object text NOT NULL,
    result text NOT NULL,
    previous bytea NOT NULL,
    hash bytea NOT NULL
);
CREATE TABLE public.billfold_clock (
    id bigint NOT NULL,
    offset_microseconds bigint NOT NULL
);
CREATE TABLE public.billfold_migration_rules (
    name text NOT NULL,
    runs_with text NOT NULL
);
CREATE TABLE public.billfold_migrations (
    name text NOT NULL,
    checksum text NOT NULL,
    applied_at bigint NOT NULL
);
CREATE TABLE public.billfold_store (
    name text NOT NULL,
    value text NOT NULL
);
CREATE TABLE public.card_api_keys (
    key_hash bytea NOT NULL,
    merchant text NOT NULL,
    label text NOT NULL,
    created_at bigint NOT NULL,
    revoked_at bigint
);
CREATE TABLE public.card_reconciliation (
    merchant text NOT NULL,
    settlement_day text NOT NULL,
    line bigint NOT NULL,
    class text NOT NULL,
    kind text NOT NULL,
    subject text,
    acquirer_reference text,
    acquirer_order text,
    booked bigint,
    filed bigint,
    fee bigint,
    at bigint NOT NULL
);
CREATE TABLE public.card_tokens (
    merchant text NOT NULL,
    transaction_id text NOT NULL,
    payment bytea NOT NULL,
    order_id bytea NOT NULL,
    fingerprint bytea NOT NULL,
    at bigint NOT NULL
);
CREATE TABLE public.deadlines (
    merchant text NOT NULL,
    subject bytea NOT NULL,
    kind text NOT NULL,
    due_at bigint NOT NULL,
    attempt bigint NOT NULL
);
CREATE TABLE public.idempotency_keys (
    caller text NOT NULL,
    operation text NOT NULL,
    key text NOT NULL,
    fingerprint bytea NOT NULL,
    subject bytea,
    result bytea,
    created_at bigint NOT NULL
);
CREATE TABLE public.ledger_postings (
    merchant text NOT NULL,
    source bytea NOT NULL,
    template text NOT NULL,
    ordinal bigint NOT NULL,
    line bigint NOT NULL,
    account text NOT NULL,
    currency text NOT NULL,
    amount bigint NOT NULL,
    at bigint NOT NULL
);
CREATE TABLE public.modifications (
    merchant text NOT NULL,
    id bytea NOT NULL,
    payment_id bytea NOT NULL,
    kind text NOT NULL,
    currency text NOT NULL,
    amount bigint NOT NULL,
    state text NOT NULL,
    evidence bigint NOT NULL,
    version bigint NOT NULL,
    external_key text NOT NULL,
    acquirer_reference text,
    settlement_day text,
    reason text,
    detail bytea NOT NULL,
    created_at bigint NOT NULL,
    updated_at bigint NOT NULL,
    CONSTRAINT modifications_amount_check CHECK ((amount > 0))
);
CREATE TABLE public.operator_approvals (
    id bytea NOT NULL,
    kind text NOT NULL,
    subject text NOT NULL,
    detail text NOT NULL,
    requested_by text NOT NULL,
    requested_at bigint NOT NULL,
    expires_at bigint NOT NULL,
    state text NOT NULL,
    decided_by text,
    decided_at bigint,
    outcome text,
    lines bytea
);
CREATE TABLE public.operator_sessions (
    token_hash bytea NOT NULL,
    operator text NOT NULL,
    csrf_token text NOT NULL,
    created_at bigint NOT NULL,
    used_at bigint NOT NULL,
    expires_at bigint NOT NULL
);
CREATE TABLE public.operators (
    name text NOT NULL,
    password text NOT NULL,
    roles text NOT NULL,
    created_at bigint NOT NULL,
    disabled_at bigint
);
CREATE TABLE public.orders (
    merchant text NOT NULL,
    id bytea NOT NULL,
    reference text NOT NULL,
    currency text NOT NULL,
    amount bigint NOT NULL,
    expires_at bigint NOT NULL,
    client_secret bytea NOT NULL,
    application_data bytea NOT NULL,
    detail bytea NOT NULL,
    live_payment bytea,
    attempts bigint NOT NULL,
    closed bigint NOT NULL,
    created_at bigint NOT NULL
);
CREATE TABLE public.outbox (
    merchant text NOT NULL,
    id bytea NOT NULL,
    destination text NOT NULL,
    kind text NOT NULL,
    subject bytea NOT NULL,
    subject_version bigint NOT NULL,
    body bytea NOT NULL,
    schedule text NOT NULL,
    state text NOT NULL,
    attempt bigint NOT NULL,
    due_at bigint NOT NULL,
    note text NOT NULL,
    receipt bytea,
    created_at bigint NOT NULL
);
CREATE TABLE public.payment_alarms (
    merchant text NOT NULL,
    payment_id bytea NOT NULL,
    kind text NOT NULL,
    raised_at bigint NOT NULL,
    note text NOT NULL,
    cleared_at bigint,
    cleared_by text
);
CREATE TABLE public.payments (
    merchant text NOT NULL,
    id bytea NOT NULL,
    order_id bytea NOT NULL,
    currency text NOT NULL,
    amount bigint NOT NULL,
    state text NOT NULL,
    evidence bigint NOT NULL,
    refunded bigint NOT NULL,
    reserved bigint NOT NULL,
    version bigint NOT NULL,
    external_key text NOT NULL,
    acquirer_reference text,
    settlement_day text,
    reason text,
    alarm text,
    detail bytea NOT NULL,
    audit_sequence bigint NOT NULL,
    audit_hash bytea NOT NULL,
    created_at bigint NOT NULL,
    updated_at bigint NOT NULL,
    CONSTRAINT payments_refunded_check CHECK ((refunded >= 0)),
    CONSTRAINT payments_reserved_check CHECK ((reserved >= 0))
);
CREATE TABLE public.retention_marks (
    name text NOT NULL,
    until bigint NOT NULL
);
CREATE TABLE public.unmatched_notices (
    owner text NOT NULL,
    id bytea NOT NULL,
    source text NOT NULL,
    natural_key text NOT NULL,
    kind text NOT NULL,
    reference text NOT NULL,
    about text NOT NULL,
    currency text,
    amount bigint,
    evidence bytea NOT NULL,
    received_at bigint NOT NULL,
    note text NOT NULL,
    way text,
    remark text,
    outcome text,
    people text,
    request text,
    settled_at bigint
);
INSERT INTO public.audit_rows VALUES ('installation', 'operators', 1, 1795941955312505, 'account:root', 'operator.add', 'chief', 'done: administrator,approver,operator,viewer', '\x', '\xea1ca6271080e2b52a253c67be1787694efedf54e5c9a6843f546c02858859da');
INSERT INTO public.audit_rows VALUES ('installation', 'operators', 2, 1795941958473121, 'account:root', 'operator.add', 'deputy', 'done: administrator,approver,operator,viewer', '\xea1ca6271080e2b52a253c67be1787694efedf54e5c9a6843f546c02858859da', '\xf87bcaa61a115e1bb769bd99437051a861b311220c57b7575de6b400335c10b4');
INSERT INTO public.audit_rows VALUES ('installation', 'operators', 3, 1795941983176315, 'chief', 'sign-in', '127.0.0.1', 'done', '\xf87bcaa61a115e1bb769bd99437051a861b311220c57b7575de6b400335c10b4', '\x28cc5bda5f6a885c908d4492441f88d4a852c95a78b3283380df00488ee4b60f');
INSERT INTO public.audit_rows VALUES ('installation', 'operators', 4, 1795941984798463, 'deputy', 'sign-in', '127.0.0.1', 'done', '\x28cc5bda5f6a885c908d4492441f88d4a852c95a78b3283380df00488ee4b60f', '\x7338d9516e1696b40dd291d7091519f793bc71d73a8625a5b07b1a508f58e54d');
INSERT INTO public.audit_rows VALUES ('two-leaves', 'payment:01a2267beae87000a65565744726fd84', 1, 1795941985227016, 'app', 'authorised', '01a2267bead2792fb005d70ef38c7852', 'created > authorised ', '\x', '\xf434d120ba4b3357509e1ec662bb10bdde92afdecf196094896818c1478c52be');
INSERT INTO public.audit_rows VALUES ('two-leaves', 'payment:01a2267beae87000a65565744726fd84', 2, 1795941985227016, 'app', 'submitted', '01a2267bead2792fb005d70ef38c7852', 'authorised > submitted ', '\xf434d120ba4b3357509e1ec662bb10bdde92afdecf196094896818c1478c52be', '\x8c7fd7f86788e00b5cf35f26e304a0b4fb1bc9f16960748eae2793abb8fc7b12');
INSERT INTO public.audit_rows VALUES ('two-leaves', 'payment:01a2267beae87000a65565744726fd84', 3, 1795941985281672, 'unionpay', 'accepted', '01a2267bead2792fb005d70ef38c7852', 'submitted > accepted 00 成功[0000000]', '\x8c7fd7f86788e00b5cf35f26e304a0b4fb1bc9f16960748eae2793abb8fc7b12', '\xdd03196825427e4a6552247d841729fcd8f5229f2dadbd728af5983276cd4cc7');
INSERT INTO public.audit_rows VALUES ('two-leaves', 'payment:01a2267beae87000a65565744726fd84', 4, 1795941985342048, 'unionpay', 'succeeded', '01a2267bead2792fb005d70ef38c7852', 'accepted > succeeded 00 成功[0000000]', '\xdd03196825427e4a6552247d841729fcd8f5229f2dadbd728af5983276cd4cc7', '\x20c352cde42f0eb222c1eceecf87cafafd862e1b8077ae325866c63d97d4aeb9');
INSERT INTO public.audit_rows VALUES ('two-leaves', 'payment:01a2267beae87000a65565744726fd84', 5, 1795941985452991, 'merchant', 'refund-submitted', '01a2267bead2792fb005d70ef38c7852', 'succeeded > succeeded ', '\x20c352cde42f0eb222c1eceecf87cafafd862e1b8077ae325866c63d97d4aeb9', '\x8b8627cfcba887a8a7dc9d761ec8e10e7826fba505eb316a75d3356b26cf5563');
INSERT INTO public.audit_rows VALUES ('two-leaves', 'payment:01a2267beae87000a65565744726fd84', 6, 1795941985554688, 'unionpay', 'refunded', '01a2267bead2792fb005d70ef38c7852', 'succeeded > partlyRefunded 00 成功[0000000]', '\x8b8627cfcba887a8a7dc9d761ec8e10e7826fba505eb316a75d3356b26cf5563', '\x06ef067dc124b5dcbecf632d7cafd1cd433e4bcac4d70e82421d3bac2f84a7fc');
INSERT INTO public.audit_rows VALUES ('installation', 'operators', 5, 1795941985558749, 'chief', 'approval.request.refund', '01a2267beae87000a65565744726fd84', '0919d4b22d36deb4d84991c9f9b2d968', '\x7338d9516e1696b40dd291d7091519f793bc71d73a8625a5b07b1a508f58e54d', '\xd2e5be28a4047a2165d0a72b864457eb4ffb1e385a0b4f07fd2c4ddfa59484f9');
INSERT INTO public.audit_rows VALUES ('installation', 'operators', 6, 1795941985558749, 'chief', 'approval.sealed', '0919d4b22d36deb4d84991c9f9b2d968', '26d86e149a7d538e0b4669592f78f78530adbe491b3308781854ced2dcbf2837', '\xd2e5be28a4047a2165d0a72b864457eb4ffb1e385a0b4f07fd2c4ddfa59484f9', '\x88e6a37b5f5ff2d5fea52fa65170a28c1094dcea70219bd521c49ac7692aaa14');
INSERT INTO public.audit_rows VALUES ('installation', 'operators', 7, 1795941985597587, 'deputy', 'approval.approved', '0919d4b22d36deb4d84991c9f9b2d968', 'done', '\x88e6a37b5f5ff2d5fea52fa65170a28c1094dcea70219bd521c49ac7692aaa14', '\xcc24f159bad3d0c6bfd9da65375bacf509bf354f926669120f44f2186ae447ab');
INSERT INTO public.audit_rows VALUES ('two-leaves', 'payment:01a2267beae87000a65565744726fd84', 7, 1795941985641174, 'merchant', 'refund-submitted', '01a2267bead2792fb005d70ef38c7852', 'partlyRefunded > partlyRefunded came late', '\x06ef067dc124b5dcbecf632d7cafd1cd433e4bcac4d70e82421d3bac2f84a7fc', '\x865972592aa1b922b359b338fcd594a604dcf8c93c7e8b8c822ea70e5ef6dc60');
INSERT INTO public.audit_rows VALUES ('installation', 'operators', 8, 1795941985692311, 'system', 'approval.run.refund', '01a2267beae87000a65565744726fd84', 'refund 01a2267beae87000b48a8c7318ef1020 of 2.50 CNY: accepted', '\xcc24f159bad3d0c6bfd9da65375bacf509bf354f926669120f44f2186ae447ab', '\xf8bb7d911da8c8a1d256252cecd89f2816e46abcaeb3472b7fbcab2a5597adde');
INSERT INTO public.audit_rows VALUES ('installation', 'operators', 9, 1795941985692311, 'system', 'approval.done', '0919d4b22d36deb4d84991c9f9b2d968', 'refund 01a2267beae87000b48a8c7318ef1020 of 2.50 CNY: accepted', '\xf8bb7d911da8c8a1d256252cecd89f2816e46abcaeb3472b7fbcab2a5597adde', '\xbd0943eafa066df06f57968ae97247bd7f86d5d1f259b0cf394c697285571834');
INSERT INTO public.audit_rows VALUES ('two-leaves', 'payment:01a2267beae87000a65565744726fd84', 8, 1795941985706296, 'unionpay', 'refunded', '01a2267bead2792fb005d70ef38c7852', 'partlyRefunded > partlyRefunded 00 成功[0000000]', '\x865972592aa1b922b359b338fcd594a604dcf8c93c7e8b8c822ea70e5ef6dc60', '\xb092957f965d7b28ae45de327b2e0bfd39b0be3301c4e99878f1790c5b7912eb');
INSERT INTO public.audit_rows VALUES ('installation', 'operators', 10, 1795941985861705, 'chief', 'approval.request.refund', '01a2267beae87000a65565744726fd84', '292b39e1e09ac034f5262bc961c29e0b', '\xbd0943eafa066df06f57968ae97247bd7f86d5d1f259b0cf394c697285571834', '\xad611c0d80248334fd628be620856385222043e8b28632c2189d5a29dba99745');
INSERT INTO public.audit_rows VALUES ('installation', 'operators', 11, 1795941985861705, 'chief', 'approval.sealed', '292b39e1e09ac034f5262bc961c29e0b', '7eb005b53e9e8992242516ebf5e330cdd08fb4b6d92f7dd2485940d2486136d3', '\xad611c0d80248334fd628be620856385222043e8b28632c2189d5a29dba99745', '\xffda2fadcb914d5407a998db7bc54fa8ce9e517da6586245acb36c3109abf273');
INSERT INTO public.audit_rows VALUES ('installation', 'operators', 12, 1795941985955203, 'deputy', 'approval.rejected', '292b39e1e09ac034f5262bc961c29e0b', 'done', '\xffda2fadcb914d5407a998db7bc54fa8ce9e517da6586245acb36c3109abf273', '\x53d4cb543820f42540ff69bd6f7706b3d473c8a8a4134ebe4585d176a9622eba');
INSERT INTO public.audit_rows VALUES ('two-leaves', 'payment:01a2267beed07000bb3971d4ee0d18b8', 1, 1795941986057263, 'app', 'authorised', '01a2267beecb7f89b7db83a8a186fdbf', 'created > authorised ', '\x', '\x474e2509e1084d7d223a19e6dcadad75777a3d46528ec7f73a1b79b5f695f2b4');
INSERT INTO public.audit_rows VALUES ('two-leaves', 'payment:01a2267beed07000bb3971d4ee0d18b8', 2, 1795941986057263, 'app', 'submitted', '01a2267beecb7f89b7db83a8a186fdbf', 'authorised > submitted ', '\x474e2509e1084d7d223a19e6dcadad75777a3d46528ec7f73a1b79b5f695f2b4', '\x3aee38560e1119450af9a0a37bdd010bf2473b1af0ccff43245199134b33221a');
INSERT INTO public.audit_rows VALUES ('two-leaves', 'payment:01a2267beed07000bb3971d4ee0d18b8', 3, 1795941986091959, 'unionpay', 'accepted', '01a2267beecb7f89b7db83a8a186fdbf', 'submitted > accepted 00 成功[0000000]', '\x3aee38560e1119450af9a0a37bdd010bf2473b1af0ccff43245199134b33221a', '\x4bdc59f56b46652369738aeea30482b75c865e90429617c165094abed83655a8');
INSERT INTO public.audit_rows VALUES ('two-leaves', 'payment:01a2267beed07000bb3971d4ee0d18b8', 4, 1795941986182925, 'unionpay', 'succeeded', '01a2267beecb7f89b7db83a8a186fdbf', 'accepted > succeeded 00 成功[0000000]', '\x4bdc59f56b46652369738aeea30482b75c865e90429617c165094abed83655a8', '\x80bebd353a7ecc07fb293170bba7ce2326278f10affccee169b406e6bb93166d');
INSERT INTO public.audit_rows VALUES ('two-leaves', 'payment:01a2267beed07000bb3971d4ee0d18b8', 5, 1795941986245315, 'merchant', 'void-submitted', '01a2267beecb7f89b7db83a8a186fdbf', 'succeeded > succeeded cancellation', '\x80bebd353a7ecc07fb293170bba7ce2326278f10affccee169b406e6bb93166d', '\x227bd019ca86efa4d5ae5845383003201b5aff928e668653d9b7fafe1234bfb3');
INSERT INTO public.audit_rows VALUES ('two-leaves', 'payment:01a2267beed07000bb3971d4ee0d18b8', 6, 1795941986328126, 'unionpay', 'reversed', '01a2267beecb7f89b7db83a8a186fdbf', 'succeeded > reversed 00 成功[0000000]', '\x227bd019ca86efa4d5ae5845383003201b5aff928e668653d9b7fafe1234bfb3', '\x2e061cc185718db2eae7f2d81e4373db95233daecfc871238f51474ff3f42a59');
INSERT INTO public.audit_rows VALUES ('two-leaves', 'payment:01a2267beed0700096c94fc37c55cac7', 1, 1795941986523649, 'app', 'authorised', '01a2267bf0a47712a69b621e0fa27671', 'created > authorised ', '\x', '\x8e616da63c317381bcef76c16cbd1c4d41114fca267fb7f5cc11dd851e563490');
INSERT INTO public.audit_rows VALUES ('two-leaves', 'payment:01a2267beed0700096c94fc37c55cac7', 2, 1795941986523649, 'app', 'submitted', '01a2267bf0a47712a69b621e0fa27671', 'authorised > submitted ', '\x8e616da63c317381bcef76c16cbd1c4d41114fca267fb7f5cc11dd851e563490', '\x2553057400a9cb9c53798c267a2954498e2b67c98b60d488f911a9c16d810ab5');
INSERT INTO public.audit_rows VALUES ('two-leaves', 'payment:01a2267beed0700096c94fc37c55cac7', 3, 1795941986568662, 'unionpay', 'declined', '01a2267bf0a47712a69b621e0fa27671', 'submitted > failed 61 The card number is not valid.[9100000]', '\x2553057400a9cb9c53798c267a2954498e2b67c98b60d488f911a9c16d810ab5', '\x38dcbcfe7c23e76ca6af3db3af2bb56a30b04c32b4d3e2296654b5f80f84e1e5');
INSERT INTO public.audit_rows VALUES ('two-leaves', 'payment:01a2267beed07000ac97af17200dfd4b', 1, 1795941986759913, 'app', 'authorised', '01a2267bf13b7bfb8f184b8661bac001', 'created > authorised ', '\x', '\x83867c68566fa0053f76481bce60c32d12f0186d3cf73efe265d7fbe74f46b90');
INSERT INTO public.audit_rows VALUES ('two-leaves', 'payment:01a2267beed07000ac97af17200dfd4b', 2, 1795941986759913, 'app', 'submitted', '01a2267bf13b7bfb8f184b8661bac001', 'authorised > submitted ', '\x83867c68566fa0053f76481bce60c32d12f0186d3cf73efe265d7fbe74f46b90', '\x9e51fc55a6386c8117e81f9e16a25e2ac03e070e7d3b2790ad4b040267b00c7b');
INSERT INTO public.audit_rows VALUES ('two-leaves', 'payment:01a2267beed07000ac97af17200dfd4b', 3, 1795941986828756, 'unionpay', 'accepted', '01a2267bf13b7bfb8f184b8661bac001', 'submitted > accepted 00 成功[0000000]', '\x9e51fc55a6386c8117e81f9e16a25e2ac03e070e7d3b2790ad4b040267b00c7b', '\x2cbb1a3c74d096e80d778966b3222fe3bccb04478aa636401286a0992863211b');
INSERT INTO public.audit_rows VALUES ('two-leaves', 'payment:01a2267beed07000ac97af17200dfd4b', 4, 1795941986892874, 'unionpay', 'succeeded', '01a2267bf13b7bfb8f184b8661bac001', 'accepted > succeeded 00 成功[0000000]', '\x2cbb1a3c74d096e80d778966b3222fe3bccb04478aa636401286a0992863211b', '\x9fe4dca57a9348ddb829c18f2bfe709079abead5f54041d2f6dec4e513c58f30');
INSERT INTO public.audit_rows VALUES ('two-leaves', 'payment:01a2267bf2b87000926e615105cf5786', 1, 1795941987093477, 'app', 'authorised', '01a2267bf299706a8d36b634e25108a8', 'created > authorised ', '\x', '\x8b50b69ee97285e28e500c404a0e3cee13c68de27baacf8b919d54d79d61da28');
INSERT INTO public.audit_rows VALUES ('two-leaves', 'payment:01a2267bf2b87000926e615105cf5786', 2, 1795941987093477, 'app', 'submitted', '01a2267bf299706a8d36b634e25108a8', 'authorised > submitted ', '\x8b50b69ee97285e28e500c404a0e3cee13c68de27baacf8b919d54d79d61da28', '\x0c88ec61577951840b1fa157bbd15577884ec519a8d2ebd8c71f2e6f9ceb7bbd');
INSERT INTO public.audit_rows VALUES ('two-leaves', 'operators', 1, 1795941987414094, 'chief', 'alarm.clear', 'payment:01a2267beed07000ac97af17200dfd4b', 'amount-differs the file is wrong', '\x', '\xc5bea1ee2e9413c9b84219f47ff0092cd36813117384ba9460e2d09a65455f26');
INSERT INTO public.audit_rows VALUES ('installation', 'operators', 23, 1795942000885691, 'chief', 'approval.request.acquiring-settle-alarm', '01a2267c266c727e8e58a49e9858a2eb', '7f1ceea7d52439b8e56aeb395572010c', '\x2828827642e1547d6a2d5b10d2fc0fb38720fb48e6ae7f043601161e407fe6b9', '\x0ac8dac6c5e1e2d35c87db96b5a998b73229422efd49449d31e96a225d47d12d');
INSERT INTO public.audit_rows VALUES ('installation', 'operators', 24, 1795942000885691, 'chief', 'approval.sealed', '7f1ceea7d52439b8e56aeb395572010c', 'ec3f67c2b0912e7f5117f2f0c59c6e691e386d820bb133ce6a6a987bdc089f78', '\x0ac8dac6c5e1e2d35c87db96b5a998b73229422efd49449d31e96a225d47d12d', '\x6f125b54ae601f1b024d766bd547756239654c7aa16667e1d34959988209a71c');
INSERT INTO public.audit_rows VALUES ('installation', 'operators', 46, 1795942001818446, 'system', 'approval.run.wallet-thaw', '2088000000000017', 'thawed', '\x24291823481065de1ee389f22572bea274ebc1f0bdbab5f2fbb2491717ccf8ed', '\xf883513d10c2ab677b840f6c586ceb8ba465170686301f2be492928148ea2e86');
INSERT INTO public.audit_rows VALUES ('installation', 'operators', 47, 1795942001818446, 'system', 'approval.done', '95156cf3b9dd9e8ad552fd2149797ab1', 'thawed', '\xf883513d10c2ab677b840f6c586ceb8ba465170686301f2be492928148ea2e86', '\x2e5e6e9cddf6fba95d18a0a2a2f8e93128c8d05d95d6493c99c244b546ae9cae');
INSERT INTO public.audit_rows VALUES ('two-leaves', 'payment:01a2267bf2b87000926e615105cf5786', 3, 1795941987127590, 'unionpay', 'accepted', '01a2267bf299706a8d36b634e25108a8', 'submitted > accepted 00 成功[0000000]', '\x0c88ec61577951840b1fa157bbd15577884ec519a8d2ebd8c71f2e6f9ceb7bbd', '\x077ff3f5804ebd855dd59327d2adced00191f363f2cb26ecff18393f7ffd07b6');
INSERT INTO public.audit_rows VALUES ('installation', 'operators', 16, 1795941991176431, 'system', 'approval.run.provisioning-review', '01a2267c01b676b480bd6a3c4781b369', 'the token is being activated', '\xb112c424fb732c28b88f640d412a7ac9c8ba4ea0b012e9b1fc1a6f06c42baec6', '\x11fbce9d7f23893a092d7e2eab561378be0d5f9a53f401b22ca823d8882b8923');
INSERT INTO public.audit_rows VALUES ('installation', 'operators', 17, 1795941991176431, 'system', 'approval.done', '085ea92ccc145895ed06f5e12458afb4', 'the token is being activated', '\x11fbce9d7f23893a092d7e2eab561378be0d5f9a53f401b22ca823d8882b8923', '\x7fd0975cf6b0b1531b175cad5ba47c5145f4bf6e8f84f98a13746dce119a377d');
INSERT INTO public.audit_rows VALUES ('installation', 'operators', 28, 1795942001525331, 'chief', 'approval.request.wallet-top-up', '2088000000000017', 'ac42fc930254f7ef1066a91cb384c9cd', '\x590e25673cd46e115974a990d1e3d07c4fd4930678850fea52e6903250612d8f', '\xa47d5b17ea8c18947d90ab8fff08a85008b06a3aa466d015e3ad2c5bb985dd17');
INSERT INTO public.audit_rows VALUES ('installation', 'operators', 29, 1795942001525331, 'chief', 'approval.sealed', 'ac42fc930254f7ef1066a91cb384c9cd', '8d5cff62a426b0fe89875b874080e5ad66b7b9d209e09b3c32691fcc930f978e', '\xa47d5b17ea8c18947d90ab8fff08a85008b06a3aa466d015e3ad2c5bb985dd17', '\x04b6163b6b80a3233da59a2255a4c2e101946dfcc0e36451c8461849dba3cd7f');
INSERT INTO public.audit_rows VALUES ('installation', 'operators', 35, 1795942001635688, 'deputy', 'approval.approved', 'b9fff289f5022fba293b235dd0e31b0f', 'done', '\x1d2843ffaebdf5a6f7f2b9033e3e1e0f965fcd8c39b3b43ac8b84c6c8982623d', '\xffd68a3af86d36a407859a55d5f9b92481ab159e48a4de93beea6a35bf938434');
INSERT INTO public.audit_rows VALUES ('installation', 'operators', 41, 1795942001752272, 'system', 'approval.run.wallet-freeze', '2088000000000017', 'frozen', '\x50015095e200aec400f7bf6e8813d59bd1101554121055af9e63c9956c244bf3', '\x97b999c3b9ad7df0904fa22dd7d94c5405bb81395ce8a2aee583348c5a53d295');
INSERT INTO public.audit_rows VALUES ('installation', 'operators', 42, 1795942001752272, 'system', 'approval.done', 'e61cd5af272ef1c4ebbc1f31948c393e', 'frozen', '\x97b999c3b9ad7df0904fa22dd7d94c5405bb81395ce8a2aee583348c5a53d295', '\x57a1188c42b7dc97461e3a3fcda9d30016e60f7a725a61268eb1db658cc4a97a');
INSERT INTO public.audit_rows VALUES ('installation', 'operators', 56, 1795942002683645, 'system', 'approval.run.mini-program-release', '2026112200000777@1.0.0.20261129084642485', 'Full Release', '\x2db35b92e7efd361366109c972ada59e01cbcaa7bccd5a56f06869be2f06230a', '\xb761e505f5293bcdd406d8419928c585d7b39ddc9144cb0310d58a8edde9134d');
INSERT INTO public.audit_rows VALUES ('installation', 'operators', 57, 1795942002683645, 'system', 'approval.done', 'b489dd7fa2659f1fcc33b6df874d1c7c', 'Full Release', '\xb761e505f5293bcdd406d8419928c585d7b39ddc9144cb0310d58a8edde9134d', '\xb982b3bb8e24a1a6d98ba058df23a47678416cb34fbf7195a7618fdb76ead4f8');
INSERT INTO public.audit_rows VALUES ('two-leaves', 'payment:01a2267bf2b87000926e615105cf5786', 4, 1795941987142978, 'unionpay', 'succeeded', '01a2267bf299706a8d36b634e25108a8', 'accepted > succeeded 00 成功[0000000]', '\x077ff3f5804ebd855dd59327d2adced00191f363f2cb26ecff18393f7ffd07b6', '\xed8423fec0c7b873f167bbd7ec86f4863a22d163921d3fdafbf1a6f691ab6f95');
INSERT INTO public.audit_rows VALUES ('installation', 'operators', 33, 1795942001623290, 'chief', 'approval.request.wallet-withdrawal', '2088000000000017', 'b9fff289f5022fba293b235dd0e31b0f', '\x33298fb28e2d0d025fbd299e23a7996ea0af16bff8d77b83833a0d34efae065b', '\x818546ecf0032f3c9ca8d11a0bdb2d5824442621667e99c94f741f039e9dc5c3');
INSERT INTO public.audit_rows VALUES ('installation', 'operators', 34, 1795942001623290, 'chief', 'approval.sealed', 'b9fff289f5022fba293b235dd0e31b0f', 'd4acd771986f1ad8a192f8654592abde0ef6b2fd4179f86e67d85137243764fd', '\x818546ecf0032f3c9ca8d11a0bdb2d5824442621667e99c94f741f039e9dc5c3', '\x1d2843ffaebdf5a6f7f2b9033e3e1e0f965fcd8c39b3b43ac8b84c6c8982623d');
INSERT INTO public.audit_rows VALUES ('installation', 'operators', 40, 1795942001730217, 'deputy', 'approval.approved', 'e61cd5af272ef1c4ebbc1f31948c393e', 'done', '\x47fb11649c3963819dd99945d651c151fa9ff7d37f322a2fc813489714aecbab', '\x50015095e200aec400f7bf6e8813d59bd1101554121055af9e63c9956c244bf3');
INSERT INTO public.audit_rows VALUES ('installation', 'operators', 48, 1795942002575028, 'chief', 'approval.request.mini-program-approve', '2026112200000777@1.0.0.20261129084642485', 'af83fae733584d608ebd7a75557952da', '\x2e5e6e9cddf6fba95d18a0a2a2f8e93128c8d05d95d6493c99c244b546ae9cae', '\x373d6610b8574862b41a2b783062285b3dcfda386458ab7c2590ae107a647e5e');
INSERT INTO public.audit_rows VALUES ('installation', 'operators', 49, 1795942002575028, 'chief', 'approval.sealed', 'af83fae733584d608ebd7a75557952da', '39d5f28d5fd8e02121767650435318cfb1b21b1b901f0d0a35a5d296bb8a9fc2', '\x373d6610b8574862b41a2b783062285b3dcfda386458ab7c2590ae107a647e5e', '\xb19f451b15521b525eba116fb969664f897a48d4543e12b4b1d9ac2bb03a9ba5');
INSERT INTO public.audit_rows VALUES ('installation', 'operators', 55, 1795942002665367, 'deputy', 'approval.approved', 'b489dd7fa2659f1fcc33b6df874d1c7c', 'done', '\x4f31a5bb55cd600a9fb22ae226144f1f8ae33a223fd46bdf0d7fbe2939a13a10', '\x2db35b92e7efd361366109c972ada59e01cbcaa7bccd5a56f06869be2f06230a');
INSERT INTO public.audit_rows VALUES ('installation', 'operators', 61, 1795942002830401, 'system', 'approval.run.mini-program-grant', '2026112200000777', 'granted', '\xd2444c8abee5450c94637cac5bdf5a15b7e9e12a61095654b2e9fe459662ca82', '\x4c9c31392b19bc60ddfef0a070487a10bfb98f6b598996d3729944bd2caea95c');
INSERT INTO public.audit_rows VALUES ('installation', 'operators', 62, 1795942002830401, 'system', 'approval.done', '58911d1448955749cd0b58af22001417', 'granted', '\x4c9c31392b19bc60ddfef0a070487a10bfb98f6b598996d3729944bd2caea95c', '\x63812b99b7de2a00d4aa7f8a0f208b248e0048e3b3e0ef3cbb14a8c122cb9830');
INSERT INTO public.audit_rows VALUES ('two-leaves', 'payment:01a2267beed07000ac97af17200dfd4b', 5, 1795941987358820, 'unionpay', 'alarm-amount-differs', '01a2267bf13b7bfb8f184b8661bac001', 'succeeded > succeeded the settlement file of 20261129', '\x9fe4dca57a9348ddb829c18f2bfe709079abead5f54041d2f6dec4e513c58f30', '\x5dc53372758932f2487a74991d58a363e9baa73087cb14490e7985294fc976d9');
INSERT INTO public.audit_rows VALUES ('installation', 'operators', 36, 1795942001674385, 'system', 'approval.run.wallet-withdrawal', '2088000000000017', 'withdrawal of 10.00 CNY', '\xffd68a3af86d36a407859a55d5f9b92481ab159e48a4de93beea6a35bf938434', '\xbc495853ea1e92f8b1d534b255a6285af2756d7104c4ef74093883d9e457785d');
INSERT INTO public.audit_rows VALUES ('installation', 'operators', 37, 1795942001674385, 'system', 'approval.done', 'b9fff289f5022fba293b235dd0e31b0f', 'withdrawal of 10.00 CNY', '\xbc495853ea1e92f8b1d534b255a6285af2756d7104c4ef74093883d9e457785d', '\x531c06545eb6193b9032880c3dca6b525e98fefdc4c352d52083f081aa70cdfe');
INSERT INTO public.audit_rows VALUES ('installation', 'operators', 43, 1795942001773437, 'chief', 'approval.request.wallet-thaw', '2088000000000017', '95156cf3b9dd9e8ad552fd2149797ab1', '\x57a1188c42b7dc97461e3a3fcda9d30016e60f7a725a61268eb1db658cc4a97a', '\x63c4b8974e1728d7d80f97f98ccf9250448e09ed5d2ec50d0251711635be7193');
INSERT INTO public.audit_rows VALUES ('installation', 'operators', 44, 1795942001773437, 'chief', 'approval.sealed', '95156cf3b9dd9e8ad552fd2149797ab1', '514c08620fe900f213f573228f2563c66a14bcdd6ac9cdb3a90a16c23fa985e2', '\x63c4b8974e1728d7d80f97f98ccf9250448e09ed5d2ec50d0251711635be7193', '\x64a88b975eda5fd06d591901d6f20119b4d27cc470ea915eed196c67c31ed1dc');
INSERT INTO public.audit_rows VALUES ('installation', 'operators', 51, 1795942002639823, 'system', 'approval.run.mini-program-approve', '2026112200000777@1.0.0.20261129084642485', 'Release Preparation', '\x505f0b83ce533d0e8a7db3e8d0fb34e46dee28a3abcf5a4216e75d45cc3a1529', '\x12694fd74323cc94a66c351f5614585742213ca33faf1482adedc00cef3f5025');
INSERT INTO public.audit_rows VALUES ('installation', 'operators', 52, 1795942002639823, 'system', 'approval.done', 'af83fae733584d608ebd7a75557952da', 'Release Preparation', '\x12694fd74323cc94a66c351f5614585742213ca33faf1482adedc00cef3f5025', '\xaa81af00d1f06ff5da80c6efcba463eb0a988ec52c97f8d87fcea22d0f24e961');
INSERT INTO public.audit_rows VALUES ('two-leaves', 'payment:01a2267bf2b87000926e615105cf5786', 5, 1795941987362164, 'unionpay', 'alarm-amount-differs', '01a2267bf299706a8d36b634e25108a8', 'succeeded > succeeded the settlement file of 20261129', '\xed8423fec0c7b873f167bbd7ec86f4863a22d163921d3fdafbf1a6f691ab6f95', '\xbad394f3afd0b5f691383dae80bf517a112cee55407173bc21ffd6d89e51f882');
INSERT INTO public.audit_rows VALUES ('installation', 'operators', 18, 1795941996304848, 'chief', 'approval.request.merchant-payout', '2088000000000509', '9f8d29d9600c8605d715867984c3a3af', '\x7fd0975cf6b0b1531b175cad5ba47c5145f4bf6e8f84f98a13746dce119a377d', '\xb1592601451c37a7c9f16c8f2f26cededf383922020fed29018b6cdfc8f5c42f');
INSERT INTO public.audit_rows VALUES ('installation', 'operators', 19, 1795941996304848, 'chief', 'approval.sealed', '9f8d29d9600c8605d715867984c3a3af', 'be8d601613ff692da81e6e74f0187d0b662086d55424eccb1fb659dd9de07107', '\xb1592601451c37a7c9f16c8f2f26cededf383922020fed29018b6cdfc8f5c42f', '\xf2b2402342aefb05223d2b56bc2ec5785e94ceb742643a02ae9022c31cf9a4d3');
INSERT INTO public.audit_rows VALUES ('installation', 'operators', 26, 1795942000940559, 'system', 'approval.run.acquiring-settle-alarm', '01a2267c266c727e8e58a49e9858a2eb', 'settled', '\x3de31fa80a0ab1ec864cb8eb81db4ebf6055c56c0376806cb6b67c1bcd001c71', '\x44cbfc19221d58913cfb9fc8d8feee34b8c8fe851778a250dbb293425f7e1dbe');
INSERT INTO public.audit_rows VALUES ('installation', 'operators', 27, 1795942000940559, 'system', 'approval.done', '7f1ceea7d52439b8e56aeb395572010c', 'settled', '\x44cbfc19221d58913cfb9fc8d8feee34b8c8fe851778a250dbb293425f7e1dbe', '\x590e25673cd46e115974a990d1e3d07c4fd4930678850fea52e6903250612d8f');
INSERT INTO public.audit_rows VALUES ('installation', 'operators', 50, 1795942002627298, 'deputy', 'approval.approved', 'af83fae733584d608ebd7a75557952da', 'done', '\xb19f451b15521b525eba116fb969664f897a48d4543e12b4b1d9ac2bb03a9ba5', '\x505f0b83ce533d0e8a7db3e8d0fb34e46dee28a3abcf5a4216e75d45cc3a1529');
INSERT INTO public.audit_rows VALUES ('installation', 'operators', 58, 1795942002726421, 'chief', 'approval.request.mini-program-grant', '2026112200000777', '58911d1448955749cd0b58af22001417', '\xb982b3bb8e24a1a6d98ba058df23a47678416cb34fbf7195a7618fdb76ead4f8', '\xd03030982c1c424b0a9bfafededdceb9ba564f2449808b2bd31349440735b0cb');
INSERT INTO public.audit_rows VALUES ('installation', 'operators', 59, 1795942002726421, 'chief', 'approval.sealed', '58911d1448955749cd0b58af22001417', '3e03131f8ac1372adcb524cbfc03c48d1f06e1b607e5003911a3a2e7945c709f', '\xd03030982c1c424b0a9bfafededdceb9ba564f2449808b2bd31349440735b0cb', '\xee500a477656d1554ea27a8282876271d637878f086f3002935d3d03fddaf986');
INSERT INTO public.audit_rows VALUES ('two-leaves', 'reconciliation', 1, 1795941987372824, 'merchant', 'reconcile', '20261129', '7 lines', '\x', '\xebaa576388ee10e7726e7711d3b687c05bfdadf01265206f0d612970d80504f2');
INSERT INTO public.audit_rows VALUES ('installation', 'operators', 21, 1795941996338408, 'system', 'approval.run.merchant-payout', '2088000000000509', 'paid out 1.00 CNY', '\x9194697a62fae65c6f30fb7e881de6fa1cb51cc5547e5560c4d09971e3fb046a', '\x9eb67cab9ff0ba523f593b59ee3c2dc4c8046eeb136e04638889d9794c32232b');
INSERT INTO public.audit_rows VALUES ('installation', 'operators', 22, 1795941996338408, 'system', 'approval.done', '9f8d29d9600c8605d715867984c3a3af', 'paid out 1.00 CNY', '\x9eb67cab9ff0ba523f593b59ee3c2dc4c8046eeb136e04638889d9794c32232b', '\x2828827642e1547d6a2d5b10d2fc0fb38720fb48e6ae7f043601161e407fe6b9');
INSERT INTO public.audit_rows VALUES ('installation', 'operators', 31, 1795942001612394, 'system', 'approval.run.wallet-top-up', '2088000000000017', 'top-up of 10.00 CNY', '\x7118557ab2fba5061916a575f0263b1f7cc5f5d83bc061c8cf416d424d97abca', '\xc31d234e9d2186e940df8f07108f70065faba71d8b6f153a55d4b14477a94d3b');
INSERT INTO public.audit_rows VALUES ('installation', 'operators', 32, 1795942001612394, 'system', 'approval.done', 'ac42fc930254f7ef1066a91cb384c9cd', 'top-up of 10.00 CNY', '\xc31d234e9d2186e940df8f07108f70065faba71d8b6f153a55d4b14477a94d3b', '\x33298fb28e2d0d025fbd299e23a7996ea0af16bff8d77b83833a0d34efae065b');
INSERT INTO public.audit_rows VALUES ('installation', 'operators', 38, 1795942001713882, 'chief', 'approval.request.wallet-freeze', '2088000000000017', 'e61cd5af272ef1c4ebbc1f31948c393e', '\x531c06545eb6193b9032880c3dca6b525e98fefdc4c352d52083f081aa70cdfe', '\x6243e0c749a6537f8846e8055656fb35e5b46a4ee2d36421011793f7e9165cb6');
INSERT INTO public.audit_rows VALUES ('installation', 'operators', 39, 1795942001713882, 'chief', 'approval.sealed', 'e61cd5af272ef1c4ebbc1f31948c393e', '2e7af714d6898857ed99f091e9b28962b03c0152d492855b03043421a44fab99', '\x6243e0c749a6537f8846e8055656fb35e5b46a4ee2d36421011793f7e9165cb6', '\x47fb11649c3963819dd99945d651c151fa9ff7d37f322a2fc813489714aecbab');
INSERT INTO public.audit_rows VALUES ('installation', 'operators', 45, 1795942001798792, 'deputy', 'approval.approved', '95156cf3b9dd9e8ad552fd2149797ab1', 'done', '\x64a88b975eda5fd06d591901d6f20119b4d27cc470ea915eed196c67c31ed1dc', '\x24291823481065de1ee389f22572bea274ebc1f0bdbab5f2fbb2491717ccf8ed');
INSERT INTO public.audit_rows VALUES ('installation', 'operators', 53, 1795942002654871, 'chief', 'approval.request.mini-program-release', '2026112200000777@1.0.0.20261129084642485', 'b489dd7fa2659f1fcc33b6df874d1c7c', '\xaa81af00d1f06ff5da80c6efcba463eb0a988ec52c97f8d87fcea22d0f24e961', '\x55377f4f295c577e41f7dc7345774bb6fee5991e35350cba9fe3ec842b3b21d4');
INSERT INTO public.audit_rows VALUES ('installation', 'operators', 54, 1795942002654871, 'chief', 'approval.sealed', 'b489dd7fa2659f1fcc33b6df874d1c7c', 'a0f2ae9a959609fc1db927895c5a3425b59ab4bc9ff8638992e6d6737f188ff7', '\x55377f4f295c577e41f7dc7345774bb6fee5991e35350cba9fe3ec842b3b21d4', '\x4f31a5bb55cd600a9fb22ae226144f1f8ae33a223fd46bdf0d7fbe2939a13a10');
INSERT INTO public.audit_rows VALUES ('installation', 'operators', 13, 1795941991038575, 'chief', 'approval.request.provisioning-review', '01a2267c01b676b480bd6a3c4781b369', '085ea92ccc145895ed06f5e12458afb4', '\x53d4cb543820f42540ff69bd6f7706b3d473c8a8a4134ebe4585d176a9622eba', '\xd8fd2b3d8d5f2d94557f5290a38e40e19df86cad3c320fc24d713ad71cfd487d');
INSERT INTO public.audit_rows VALUES ('installation', 'operators', 14, 1795941991038575, 'chief', 'approval.sealed', '085ea92ccc145895ed06f5e12458afb4', '469532783df34cca58011d2a5de6e596ca125429764f9e64daa185be3ce9eb94', '\xd8fd2b3d8d5f2d94557f5290a38e40e19df86cad3c320fc24d713ad71cfd487d', '\xa861df10ca9d64078ecedc3c37ba3fa06b91a0542412c0f4c4bb69363fe77bde');
INSERT INTO public.audit_rows VALUES ('installation', 'operators', 20, 1795941996317401, 'deputy', 'approval.approved', '9f8d29d9600c8605d715867984c3a3af', 'done', '\xf2b2402342aefb05223d2b56bc2ec5785e94ceb742643a02ae9022c31cf9a4d3', '\x9194697a62fae65c6f30fb7e881de6fa1cb51cc5547e5560c4d09971e3fb046a');
INSERT INTO public.audit_rows VALUES ('installation', 'operators', 30, 1795942001602838, 'deputy', 'approval.approved', 'ac42fc930254f7ef1066a91cb384c9cd', 'done', '\x04b6163b6b80a3233da59a2255a4c2e101946dfcc0e36451c8461849dba3cd7f', '\x7118557ab2fba5061916a575f0263b1f7cc5f5d83bc061c8cf416d424d97abca');
INSERT INTO public.audit_rows VALUES ('installation', 'operators', 60, 1795942002745489, 'deputy', 'approval.approved', '58911d1448955749cd0b58af22001417', 'done', '\xee500a477656d1554ea27a8282876271d637878f086f3002935d3d03fddaf986', '\xd2444c8abee5450c94637cac5bdf5a15b7e9e12a61095654b2e9fe459662ca82');
INSERT INTO public.audit_rows VALUES ('installation', 'operators', 15, 1795941991057868, 'deputy', 'approval.approved', '085ea92ccc145895ed06f5e12458afb4', 'done', '\xa861df10ca9d64078ecedc3c37ba3fa06b91a0542412c0f4c4bb69363fe77bde', '\xb112c424fb732c28b88f640d412a7ac9c8ba4ea0b012e9b1fc1a6f06c42baec6');
INSERT INTO public.audit_rows VALUES ('installation', 'operators', 25, 1795942000916800, 'deputy', 'approval.approved', '7f1ceea7d52439b8e56aeb395572010c', 'done', '\x6f125b54ae601f1b024d766bd547756239654c7aa16667e1d34959988209a71c', '\x3de31fa80a0ab1ec864cb8eb81db4ebf6055c56c0376806cb6b67c1bcd001c71');
INSERT INTO public.billfold_migration_rules VALUES ('payments-0013-retention', 'payments-0012-awaited');
INSERT INTO public.billfold_migrations VALUES ('store-0001-mode', '2dee8785535ef8eb', 1795941951027016);
INSERT INTO public.billfold_migrations VALUES ('store-0002-clock', '2d98948bb80f6d86', 1795941951110142);
INSERT INTO public.billfold_migrations VALUES ('payments-0001-idempotency', '84d0bc719916eb12', 1795941951130038);
INSERT INTO public.billfold_migrations VALUES ('payments-0002-orders', '25b033635f7e5ea2', 1795941951177510);
INSERT INTO public.billfold_migrations VALUES ('payments-0003-ledger', '3cab68b58bb2eaf5', 1795941951216357);
INSERT INTO public.billfold_migrations VALUES ('payments-0004-payments', '37776a75348bd30e', 1795941951235939);
INSERT INTO public.billfold_migrations VALUES ('payments-0005-audit', 'ab90ac53312e9ad2', 1795941951285767);
INSERT INTO public.billfold_migrations VALUES ('payments-0006-modifications', '25bdcd7d19fa6f3b', 1795941951306003);
INSERT INTO public.billfold_migrations VALUES ('payments-0007-outbox', '0b3eac92a4bbfc39', 1795941951403421);
INSERT INTO public.billfold_migrations VALUES ('payments-0008-deadlines', 'ab3e316b0ced00a3', 1795941951435432);
INSERT INTO public.billfold_migrations VALUES ('payments-0009-alarms', '71cd18ef40e2579a', 1795941951558633);
INSERT INTO public.billfold_migrations VALUES ('payments-0010-indexes-in-order', '82bb6e0624c61aef', 1795941951591133);
INSERT INTO public.billfold_migrations VALUES ('payments-0011-unsettled', 'e84e5c96e812f4d2', 1795941951646026);
INSERT INTO public.billfold_migrations VALUES ('payments-0012-awaited', '4a261475c21d1677', 1795941951660415);
INSERT INTO public.billfold_migrations VALUES ('notices-0001-unmatched', '6ebecfc5fa81a075', 1795941951680143);
INSERT INTO public.billfold_migrations VALUES ('payments-0013-retention', '07d1cfb921ce7015', 1795941951809506);
INSERT INTO public.billfold_migrations VALUES ('cards-0001-api-keys', '17a4e50cab28d410', 1795941951827621);
INSERT INTO public.billfold_migrations VALUES ('cards-0002-tokens', 'cde7e057456ebb50', 1795941951895248);
INSERT INTO public.billfold_migrations VALUES ('cards-0003-reconciliation', '898c32aed9482676', 1795941951905480);
INSERT INTO public.billfold_migrations VALUES ('server-0001-operators', '17e60bc56da77739', 1795941951981280);
INSERT INTO public.billfold_migrations VALUES ('server-0002-approval-lines', '3d9f081e2e859b11', 1795941952025517);
INSERT INTO public.billfold_store VALUES ('mode', 'test');
INSERT INTO public.card_api_keys VALUES ('\x9ac9279a54df1102cf94fc5e8b10725b151f7df4d96a7cfddd899aa045f8241e', 'two-leaves', 'shop', 1795941966183275, NULL);
INSERT INTO public.card_reconciliation VALUES ('two-leaves', '20261129', 0, 'matched', 'payment', '01a2267beae87000a65565744726fd84', '202611291646251269961', '01a2267beae87000a65565744726fd84', 15664, 15664, 78, 1795941987372824);
INSERT INTO public.card_reconciliation VALUES ('two-leaves', '20261129', 1, 'amount-differs', 'payment', '01a2267beed07000ac97af17200dfd4b', '202611291646266639072', '01a2267beed07000ac97af17200dfd4b', 15664, 15665, 78, 1795941987372824);
INSERT INTO public.card_reconciliation VALUES ('two-leaves', '20261129', 2, 'matched', 'payment', '01a2267beed07000bb3971d4ee0d18b8', '202611291646265086841', '01a2267beed07000bb3971d4ee0d18b8', 3924, 3924, 20, 1795941987372824);
INSERT INTO public.card_reconciliation VALUES ('two-leaves', '20261129', 3, 'amount-differs', 'payment', '01a2267bf2b87000926e615105cf5786', '202611291646274598294', '01a2267bf2b87000926e615105cf5786', 15664, 15665, 78, 1795941987372824);
INSERT INTO public.card_reconciliation VALUES ('two-leaves', '20261129', 4, 'matched', 'refund', '01a2267beae87000b48a8c7318ef1020', '202611291646257196798', '01a2267beae87000b48a8c7318ef1020', 250, 250, 0, 1795941987372824);
INSERT INTO public.card_reconciliation VALUES ('two-leaves', '20261129', 5, 'matched', 'refund', '01a2267beae87000b609a49dc1295a95', '202611291646256803247', '01a2267beae87000b609a49dc1295a95', 100, 100, 0, 1795941987372824);
INSERT INTO public.card_reconciliation VALUES ('two-leaves', '20261129', 6, 'matched', 'void', '01a2267beed07000bf72a4228d3131a9', '202611291646261906247', '01a2267beed07000bf72a4228d3131a9', 3924, 3924, 0, 1795941987372824);
INSERT INTO public.card_tokens VALUES ('two-leaves', '4066416d17d14fdc85574124f7584e4b5218e52be86a5d5be59a41561f65922c', '\x01a2267beae87000a65565744726fd84', '\x01a2267bead2792fb005d70ef38c7852', '\x19ef4406ffcbb3337859febd19ac28d517785a3b1c1c13b5c4742ac7133ad180', 1795941985227016);
INSERT INTO public.card_tokens VALUES ('two-leaves', '67cd7f3aec7f60da5754cf82153a6baa2c19e931695a7c3136fcabc42aadeabc', '\x01a2267beed07000bb3971d4ee0d18b8', '\x01a2267beecb7f89b7db83a8a186fdbf', '\xa11df226d86260f78152cbacf788c37a661d2238409f37b7d66a27ddc0ea6499', 1795941986057263);
INSERT INTO public.card_tokens VALUES ('two-leaves', 'cd61940f198f09867bd93ab508a04960f10747412664b0ddb756c6fb7a829a4e', '\x01a2267beed0700096c94fc37c55cac7', '\x01a2267bf0a47712a69b621e0fa27671', '\x6ec45726cc0ed302146ae22791dd9eb80f543040278993b1ddac8b3f2b0f0713', 1795941986523649);
INSERT INTO public.card_tokens VALUES ('two-leaves', 'e42c4c64fb2a3cf65990c2be644baeec28645bbc9c9710652c0a6eb5ac5c9ba1', '\x01a2267beed07000ac97af17200dfd4b', '\x01a2267bf13b7bfb8f184b8661bac001', '\x709177178dec47314a8cefb4b171f879656d77e1a62d5d27529a5ff98076095a', 1795941986759913);
INSERT INTO public.card_tokens VALUES ('two-leaves', 'a64a89fb1d2c7a2c56b553ccb0dfe125dd1ff9f330afd10263521f9b578f86ac', '\x01a2267bf2b87000926e615105cf5786', '\x01a2267bf299706a8d36b634e25108a8', '\x964eb4163c23f25b5e3afd4034a40b1126c98a2ae4a422c0e158e0c840ad13b5', 1795941987093477);
INSERT INTO public.idempotency_keys VALUES ('two-leaves', 'POST /v1/orders', 'nobody-pays', '\x640591fce6a1e207e552a10a89a0b832c52a40d8812fc29cb19869185dec16c5', '\x01a2267bea2b7a669aa45be78f31056b', '\x01a2267bea2b7a669aa45be78f31056b', 1795941984811650);
INSERT INTO public.idempotency_keys VALUES ('two-leaves', 'POST /v1/orders', '0b9bec770259c1b37f2ca530dcaab4fd', '\x7c53e009bef1145cc01c54ef1ff3053aff5328e2ef0752f2de56f8bd56d7dc72', '\x01a2267bead2792fb005d70ef38c7852', '\x01a2267bead2792fb005d70ef38c7852', 1795941984978574);
INSERT INTO public.idempotency_keys VALUES ('two-leaves/01a2267bead2792fb005d70ef38c7852', 'POST /v1/orders/{id}/payments', '4cbd2b7b0e6126d542bc0ed2eb864356', '\x19ef4406ffcbb3337859febd19ac28d517785a3b1c1c13b5c4742ac7133ad180', '\x01a2267beae87000a65565744726fd84', '\x7b226572726f7273223a5b5d2c227061796d656e74223a7b226964223a223031613232363762656165383730303061363535363537343437323666643834222c22726561736f6e223a22303020e68890e58a9f5b303030303030305d222c227374617465223a22737563636565646564227d2c227368656574223a2273756363657373227d', 1795941985227016);
INSERT INTO public.idempotency_keys VALUES ('two-leaves', 'POST /v1/payments/{id}/refunds', 'part', '\xa72b33cdf70add64ef65ebee7a5909ffd1b07625e235cfdc217a60a6e6308e50', '\x01a2267beae87000b609a49dc1295a95', '\x01a2267beae87000b609a49dc1295a95', 1795941985452991);
INSERT INTO public.idempotency_keys VALUES ('two-leaves', 'POST /v1/payments/{id}/refunds', '0919d4b22d36deb4d84991c9f9b2d968', '\x0cdce0d7b9592d3fd2a031dd0a827bfbe4cb4ae036af2cf4c488f5e493e2b259', '\x01a2267beae87000b48a8c7318ef1020', '\x01a2267beae87000b48a8c7318ef1020', 1795941985641174);
INSERT INTO public.idempotency_keys VALUES ('two-leaves', 'POST /v1/orders', 'bd88c5efe38df2e3003e968e1094649a', '\x4d6642acdebb8c06f9bbb0b9f1d2f11e603d52732b8a598d84a91c95c806e1e0', '\x01a2267beecb7f89b7db83a8a186fdbf', '\x01a2267beecb7f89b7db83a8a186fdbf', 1795941985995971);
INSERT INTO public.idempotency_keys VALUES ('two-leaves/01a2267beecb7f89b7db83a8a186fdbf', 'POST /v1/orders/{id}/payments', '06f4835b56f1bf0eeb3bc33820df237a', '\xa11df226d86260f78152cbacf788c37a661d2238409f37b7d66a27ddc0ea6499', '\x01a2267beed07000bb3971d4ee0d18b8', '\x7b226572726f7273223a5b5d2c227061796d656e74223a7b226964223a223031613232363762656564303730303062623339373164346565306431386238222c22726561736f6e223a22303020e68890e58a9f5b303030303030305d222c227374617465223a22737563636565646564227d2c227368656574223a2273756363657373227d', 1795941986057263);
INSERT INTO public.idempotency_keys VALUES ('two-leaves', 'POST /v1/payments/{id}/cancellation', 'undone', '\x00bbf43f969492b7ce5803bb3fd6d00accc65a45d74b4759f9934fbcff7143b0', '\x01a2267beed07000bf72a4228d3131a9', '\x01a2267beed07000bf72a4228d3131a9', 1795941986245315);
INSERT INTO public.idempotency_keys VALUES ('two-leaves', 'POST /v1/orders', '6bd202fc5b0a4ea9e85d0b6225e66084', '\xfca801eecfd70044d18a75b829d9a973c1e2603dd24bf7874cc427eb908f2b52', '\x01a2267bf0a47712a69b621e0fa27671', '\x01a2267bf0a47712a69b621e0fa27671', 1795941986468442);
INSERT INTO public.idempotency_keys VALUES ('two-leaves/01a2267bf0a47712a69b621e0fa27671', 'POST /v1/orders/{id}/payments', 'a7c92c6f7c5cf7e70ff95dfde2e83a31', '\x6ec45726cc0ed302146ae22791dd9eb80f543040278993b1ddac8b3f2b0f0713', '\x01a2267beed0700096c94fc37c55cac7', '\x7b226572726f7273223a5b5d2c227061796d656e74223a7b226964223a223031613232363762656564303730303039366339346663333763353563616337222c22726561736f6e223a223631205468652063617264206e756d626572206973206e6f742076616c69642e5b393130303030305d222c227374617465223a226661696c6564227d2c227368656574223a226661696c757265227d', 1795941986523649);
INSERT INTO public.idempotency_keys VALUES ('two-leaves', 'POST /v1/orders', '221d17004aed231b9226d3d5ee6ece91', '\x492382773e634b8d9820198e97fd189d2292cd5bf8a7401649ee7de528e94cdb', '\x01a2267bf13b7bfb8f184b8661bac001', '\x01a2267bf13b7bfb8f184b8661bac001', 1795941986619749);
INSERT INTO public.idempotency_keys VALUES ('two-leaves/01a2267bf13b7bfb8f184b8661bac001', 'POST /v1/orders/{id}/payments', '0dd57294552c23984e58d58f092f7765', '\x709177178dec47314a8cefb4b171f879656d77e1a62d5d27529a5ff98076095a', '\x01a2267beed07000ac97af17200dfd4b', '\x7b226572726f7273223a5b5d2c227061796d656e74223a7b226964223a223031613232363762656564303730303061633937616631373230306466643462222c22726561736f6e223a22303020e68890e58a9f5b303030303030305d222c227374617465223a22737563636565646564227d2c227368656574223a2273756363657373227d', 1795941986759913);
INSERT INTO public.idempotency_keys VALUES ('two-leaves', 'POST /v1/orders', '0d6a84a47f112995db25992ae19042f4', '\x4995d3d165aa7558f10531d6c16931d02eb6018b9bea7bbbb6c657b81040b233', '\x01a2267bf299706a8d36b634e25108a8', '\x01a2267bf299706a8d36b634e25108a8', 1795941986969026);
INSERT INTO public.idempotency_keys VALUES ('two-leaves/01a2267bf299706a8d36b634e25108a8', 'POST /v1/orders/{id}/payments', '79cc8f07915714218d7033442eef6fa9', '\x964eb4163c23f25b5e3afd4034a40b1126c98a2ae4a422c0e158e0c840ad13b5', '\x01a2267bf2b87000926e615105cf5786', '\x7b226572726f7273223a5b5d2c227061796d656e74223a7b226964223a223031613232363762663262383730303039323665363135313035636635373836222c22726561736f6e223a22303020e68890e58a9f5b303030303030305d222c227374617465223a22737563636565646564227d2c227368656574223a2273756363657373227d', 1795941987093477);
INSERT INTO public.ledger_postings VALUES ('two-leaves', '\x01a2267beae87000a65565744726fd84', 'capture', 0, 0, 'receivable:unionpay', 'CNY', 15664, 1795941985342048);
INSERT INTO public.ledger_postings VALUES ('two-leaves', '\x01a2267beae87000a65565744726fd84', 'capture', 0, 1, 'sales', 'CNY', -15664, 1795941985342048);
INSERT INTO public.ledger_postings VALUES ('two-leaves', '\x01a2267beae87000a65565744726fd84', 'refund', 100, 0, 'refunds', 'CNY', 100, 1795941985554688);
INSERT INTO public.ledger_postings VALUES ('two-leaves', '\x01a2267beae87000a65565744726fd84', 'refund', 100, 1, 'receivable:unionpay', 'CNY', -100, 1795941985554688);
INSERT INTO public.ledger_postings VALUES ('two-leaves', '\x01a2267beae87000a65565744726fd84', 'refund', 350, 0, 'refunds', 'CNY', 250, 1795941985706296);
INSERT INTO public.ledger_postings VALUES ('two-leaves', '\x01a2267beae87000a65565744726fd84', 'refund', 350, 1, 'receivable:unionpay', 'CNY', -250, 1795941985706296);
INSERT INTO public.ledger_postings VALUES ('two-leaves', '\x01a2267beed07000bb3971d4ee0d18b8', 'capture', 0, 0, 'receivable:unionpay', 'CNY', 3924, 1795941986182925);
INSERT INTO public.ledger_postings VALUES ('two-leaves', '\x01a2267beed07000bb3971d4ee0d18b8', 'capture', 0, 1, 'sales', 'CNY', -3924, 1795941986182925);
INSERT INTO public.ledger_postings VALUES ('two-leaves', '\x01a2267beed07000bb3971d4ee0d18b8', 'reversal', 0, 0, 'sales', 'CNY', 3924, 1795941986328126);
INSERT INTO public.ledger_postings VALUES ('two-leaves', '\x01a2267beed07000bb3971d4ee0d18b8', 'reversal', 0, 1, 'receivable:unionpay', 'CNY', -3924, 1795941986328126);
INSERT INTO public.ledger_postings VALUES ('two-leaves', '\x01a2267beed07000ac97af17200dfd4b', 'capture', 0, 0, 'receivable:unionpay', 'CNY', 15664, 1795941986892874);
INSERT INTO public.ledger_postings VALUES ('two-leaves', '\x01a2267beed07000ac97af17200dfd4b', 'capture', 0, 1, 'sales', 'CNY', -15664, 1795941986892874);
INSERT INTO public.ledger_postings VALUES ('two-leaves', '\x01a2267bf2b87000926e615105cf5786', 'capture', 0, 0, 'receivable:unionpay', 'CNY', 15664, 1795941987142978);
INSERT INTO public.ledger_postings VALUES ('two-leaves', '\x01a2267bf2b87000926e615105cf5786', 'capture', 0, 1, 'sales', 'CNY', -15664, 1795941987142978);
INSERT INTO public.ledger_postings VALUES ('two-leaves', '\x01a2267beae87000a65565744726fd84', 'acquirer-fee', 0, 0, 'acquirer-fees', 'CNY', 78, 1795941987372824);
INSERT INTO public.ledger_postings VALUES ('two-leaves', '\x01a2267beae87000a65565744726fd84', 'acquirer-fee', 0, 1, 'receivable:unionpay', 'CNY', -78, 1795941987372824);
INSERT INTO public.ledger_postings VALUES ('two-leaves', '\x01a2267beed07000bb3971d4ee0d18b8', 'acquirer-fee', 0, 0, 'acquirer-fees', 'CNY', 20, 1795941987372824);
INSERT INTO public.ledger_postings VALUES ('two-leaves', '\x01a2267beed07000bb3971d4ee0d18b8', 'acquirer-fee', 0, 1, 'receivable:unionpay', 'CNY', -20, 1795941987372824);
INSERT INTO public.modifications VALUES ('two-leaves', '\x01a2267beae87000b609a49dc1295a95', '\x01a2267beae87000a65565744726fd84', 'refund', 'CNY', 100, 'succeeded', 74, 3, '777290058110048/01a2267beae87000b609a49dc1295a95/20261129164625', '202611291646256803247', '20261129', '00 成功[0000000]', '\x', 1795941985452991, 1795941985554688);
INSERT INTO public.modifications VALUES ('two-leaves', '\x01a2267beae87000b48a8c7318ef1020', '\x01a2267beae87000a65565744726fd84', 'refund', 'CNY', 250, 'succeeded', 74, 3, '777290058110048/01a2267beae87000b48a8c7318ef1020/20261129164625', '202611291646257196798', '20261129', '00 成功[0000000]', '\x', 1795941985641174, 1795941985706296);
INSERT INTO public.modifications VALUES ('two-leaves', '\x01a2267beed07000bf72a4228d3131a9', '\x01a2267beed07000bb3971d4ee0d18b8', 'void', 'CNY', 3924, 'succeeded', 74, 3, '777290058110048/01a2267beed07000bf72a4228d3131a9/20261129164626', '202611291646261906247', '20261129', '00 成功[0000000]', '\x', 1795941986245315, 1795941986328126);
INSERT INTO public.operator_approvals VALUES ('\x0919d4b22d36deb4d84991c9f9b2d968', 'refund', '01a2267beae87000a65565744726fd84', '{"amount":"2.50","currency":"CNY","reason":"came late"}', 'chief', 1795941985558749, 1796028385558749, 'done', 'deputy', 1795941985597587, 'refund 01a2267beae87000b48a8c7318ef1020 of 2.50 CNY: accepted', '\x5b7b226c6162656c223a22526566756e64222c2276616c7565223a22322e353020434e59227d2c7b226c6162656c223a224f6620746865207061796d656e74222c2276616c7565223a2230316132323637626561653837303030613635353635373434373236666438342c203135362e363420434e59227d2c7b226c6162656c223a224f72646572222c2276616c7565223a223062396265633737303235396331623337663263613533306463616162346664227d2c7b226c6162656c223a224d65726368616e74222c2276616c7565223a2274776f2d6c6561766573227d2c7b226c6162656c223a22526561736f6e222c2276616c7565223a2263616d65206c617465227d5d');
INSERT INTO public.operator_approvals VALUES ('\x292b39e1e09ac034f5262bc961c29e0b', 'refund', '01a2267beae87000a65565744726fd84', '{"amount":"4.00","currency":"CNY","reason":"once more"}', 'chief', 1795941985861705, 1796028385861705, 'rejected', 'deputy', 1795941985955203, NULL, '\x5b7b226c6162656c223a22526566756e64222c2276616c7565223a22342e303020434e59227d2c7b226c6162656c223a224f6620746865207061796d656e74222c2276616c7565223a2230316132323637626561653837303030613635353635373434373236666438342c203135362e363420434e59227d2c7b226c6162656c223a224f72646572222c2276616c7565223a223062396265633737303235396331623337663263613533306463616162346664227d2c7b226c6162656c223a224d65726368616e74222c2276616c7565223a2274776f2d6c6561766573227d2c7b226c6162656c223a22526561736f6e222c2276616c7565223a226f6e6365206d6f7265227d5d');
INSERT INTO public.operator_approvals VALUES ('\x085ea92ccc145895ed06f5e12458afb4', 'provisioning-review', '01a2267c01b676b480bd6a3c4781b369', '{"outcome":"approve","remark":"called back on the number of the branch"}', 'chief', 1795941991038575, 1796028391038575, 'done', 'deputy', 1795941991057868, 'the token is being activated', '\x5b7b226c6162656c223a224c65742074686520746f6b656e20626520706169642077697468222c2276616c7565223a22444e495448453037363436393232353636383830363031303037303134343031227d2c7b226c6162656c223a2243617264222c2276616c7565223a2254776f204c6561766573205669736120656e64696e6720696e20383633372c20766973612d31227d2c7b226c6162656c223a2243617264686f6c646572222c2276616c7565223a224d4549204c494e227d2c7b226c6162656c223a224e6574776f726b222c2276616c7565223a2276697361227d2c7b226c6162656c223a2252656d61726b222c2276616c7565223a2263616c6c6564206261636b206f6e20746865206e756d626572206f6620746865206272616e6368227d5d');
INSERT INTO public.operator_approvals VALUES ('\x9f8d29d9600c8605d715867984c3a3af', 'merchant-payout', '2088000000000509', '{"amount":{"amount":"1.00","currency":"CNY"},"reason":"end of the day"}', 'chief', 1795941996304848, 1796028396304848, 'done', 'deputy', 1795941996317401, 'paid out 1.00 CNY', '\x5b7b226c6162656c223a22506179206f7574222c2276616c7565223a22312e303020434e59227d2c7b226c6162656c223a22546f20746865206d65726368616e74222c2276616c7565223a22416e206f757473696465206d65726368616e742c2032303838303030303030303030353039227d2c7b226c6162656c223a22526561736f6e222c2276616c7565223a22656e64206f662074686520646179227d5d');
INSERT INTO public.operator_approvals VALUES ('\x7f1ceea7d52439b8e56aeb395572010c', 'acquiring-settle-alarm', '01a2267c266c727e8e58a49e9858a2eb', '{"acquirer":"1022188000000777","kind":"leg-stuck","reason":"paid back by hand"}', 'chief', 1795942000885691, 1796028400885691, 'done', 'deputy', 1795942000916800, 'settled', '\x5b7b226c6162656c223a22536574746c652062792068616e64222c2276616c7565223a2277686174207468652077616c6c65742068616420636f6c6c65637465642077656e74206261636b227d2c7b226c6162656c223a224f6620746865207061796d656e74222c2276616c7565223a2230316132323637633236343337396365616433376135393864353265666333382c2031392e393920534744227d2c7b226c6162656c223a224163717569726572222c2276616c7565223a2231303232313838303030303030373737227d2c7b226c6162656c223a225468652077616c6c65742073616964222c2276616c7565223a227468652077616c6c6574206e6569746865722063616e63656c6c6564206e6f7220726566756e646564207768617420697420636f6c6c656374656420696e207661696e227d2c7b226c6162656c223a22526561736f6e222c2276616c7565223a2270616964206261636b2062792068616e64227d5d');
INSERT INTO public.operator_approvals VALUES ('\xac42fc930254f7ef1066a91cb384c9cd', 'wallet-top-up', '2088000000000017', '{"amount":{"amount":"10.00","currency":"CNY"},"reason":"transfer 1"}', 'chief', 1795942001525331, 1796028401525331, 'done', 'deputy', 1795942001602838, 'top-up of 10.00 CNY', '\x5b7b226c6162656c223a22426f6f6b206173207061696420696e222c2276616c7565223a2231302e303020434e59227d2c7b226c6162656c223a224163636f756e74222c2276616c7565223a22323038383030303030303030303031372c204d6569204c696e227d2c7b226c6162656c223a22526561736f6e222c2276616c7565223a227472616e736665722031227d5d');
INSERT INTO public.operator_approvals VALUES ('\xb9fff289f5022fba293b235dd0e31b0f', 'wallet-withdrawal', '2088000000000017', '{"amount":{"amount":"10.00","currency":"CNY"},"reason":"transfer 1"}', 'chief', 1795942001623290, 1796028401623290, 'done', 'deputy', 1795942001635688, 'withdrawal of 10.00 CNY', '\x5b7b226c6162656c223a22426f6f6b2061732070616964206f7574222c2276616c7565223a2231302e303020434e59227d2c7b226c6162656c223a224163636f756e74222c2276616c7565223a22323038383030303030303030303031372c204d6569204c696e227d2c7b226c6162656c223a22526561736f6e222c2276616c7565223a227472616e736665722031227d5d');
INSERT INTO public.operator_approvals VALUES ('\xe61cd5af272ef1c4ebbc1f31948c393e', 'wallet-freeze', '2088000000000017', '{"reason":"a phone that was lost and found"}', 'chief', 1795942001713882, 1796028401713882, 'done', 'deputy', 1795942001730217, 'frozen', '\x5b7b226c6162656c223a22467265657a6520746865206163636f756e74222c2276616c7565223a22323038383030303030303030303031372c204d6569204c696e227d2c7b226c6162656c223a22526561736f6e222c2276616c7565223a22612070686f6e65207468617420776173206c6f737420616e6420666f756e64227d5d');
INSERT INTO public.operator_approvals VALUES ('\x95156cf3b9dd9e8ad552fd2149797ab1', 'wallet-thaw', '2088000000000017', '{"reason":"a phone that was lost and found"}', 'chief', 1795942001773437, 1796028401773437, 'done', 'deputy', 1795942001798792, 'thawed', '\x5b7b226c6162656c223a225468617720746865206163636f756e74222c2276616c7565223a22323038383030303030303030303031372c204d6569204c696e227d2c7b226c6162656c223a22526561736f6e222c2276616c7565223a22612070686f6e65207468617420776173206c6f737420616e6420666f756e64227d5d');
INSERT INTO public.operator_approvals VALUES ('\xaf83fae733584d608ebd7a75557952da', 'mini-program-approve', '2026112200000777@1.0.0.20261129084642485', '{"reason":"test"}', 'chief', 1795942002575028, 1796028402575028, 'done', 'deputy', 1795942002627298, 'Release Preparation', '\x5b7b226c6162656c223a224d696e692070726f6772616d222c2276616c7565223a224f7574736964652c203230323631313232303030303037373740312e302e302e3230323631313239303834363432343835227d2c7b226c6162656c223a22726561736f6e222c2276616c7565223a2274657374227d5d');
INSERT INTO public.operator_approvals VALUES ('\xb489dd7fa2659f1fcc33b6df874d1c7c', 'mini-program-release', '2026112200000777@1.0.0.20261129084642485', '{"reason":"test"}', 'chief', 1795942002654871, 1796028402654871, 'done', 'deputy', 1795942002665367, 'Full Release', '\x5b7b226c6162656c223a224d696e692070726f6772616d222c2276616c7565223a224f7574736964652c203230323631313232303030303037373740312e302e302e3230323631313239303834363432343835227d2c7b226c6162656c223a22726561736f6e222c2276616c7565223a2274657374227d5d');
INSERT INTO public.operator_approvals VALUES ('\x58911d1448955749cd0b58af22001417', 'mini-program-grant', '2026112200000777', '{"grant":{"scopes":[{"scope":"AGREEMENT_PAY","rule":"ask"}]},"reason":"test"}', 'chief', 1795942002726421, 1796028402726421, 'done', 'deputy', 1795942002745489, 'granted', '\x5b7b226c6162656c223a224d696e692070726f6772616d222c2276616c7565223a224f7574736964652c2032303236313132323030303030373737227d2c7b226c6162656c223a226772616e742e73636f70657320312e73636f7065222c2276616c7565223a2241475245454d454e545f504159227d2c7b226c6162656c223a226772616e742e73636f70657320312e72756c65222c2276616c7565223a2261736b227d2c7b226c6162656c223a22726561736f6e222c2276616c7565223a2274657374227d5d');
INSERT INTO public.operator_sessions VALUES ('\x0f283d0ef4c878726aa4c724156a8640feac229fd1a5746dd250caccbcf4f51c', 'chief', '95c63fe1630b02b4665eaba0846d2cd153035dfb27e2acdd79d0b82468862114', 1795941983176315, 1795941983176315, 1795985183176315);
INSERT INTO public.operator_sessions VALUES ('\x5fa8198fdb2c50d18c761f0df0f700b4c41f04c104fed94594ffc9062868c2b4', 'deputy', '4934abc53d0199b5aaf554815a59764cab4c9fc9d1861353e1cfb098f4f212f7', 1795941984798463, 1795941984798463, 1795985184798463);
INSERT INTO public.operators VALUES ('chief', 'scrypt$17$8$1$d8be28b4b2a61b7be71c2bff97b19e78$83a258ba4568bb5509c975b281d661fa3e77029f6e80f945f17e75e089a4243c', 'administrator,approver,operator,viewer', 1795941955312505, NULL);
INSERT INTO public.operators VALUES ('deputy', 'scrypt$17$8$1$c6437e8edac162fc61712bad24299fea$11d01ea50a744ce5840182cbe6145b715da42fd59dc635bb095f9c1d6492845b', 'administrator,approver,operator,viewer', 1795941958473121, NULL);
INSERT INTO public.orders VALUES ('two-leaves', '\x01a2267bea2b7a669aa45be78f31056b', 'nobody-pays', 'CNY', 3729, 1795943784811650, '\x293a8101935ef9b6f069d96638d56881c7a4e5cb1c2c4129c2ac27a0e7fe4580', '\x01a2267bea2b7a669aa45be78f31056bb932a114627802ddda32510af06dcf5ca22be442557aba173c1f32151b0ede7f', '\x7b22636f756e747279223a22434e222c22636f75706f6e73223a5b5d2c2263757272656e6379223a22434e59222c22676f6f6473223a22656c656374726f6e6963222c226c696e6573223a5b7b226c6162656c223a22536f6e67222c227175616e74697479223a322c2274617852617465223a22302e3133222c22756e6974416d6f756e74223a2231362e3530227d5d2c226d65726368616e744e616d65223a2254776f204c656176657320e88cb6222c227365727669636561626c65436f756e7472696573223a5b5d2c227368697070696e674d6574686f6473223a5b5d7d', NULL, 0, 0, 1795941984811650);
INSERT INTO public.orders VALUES ('two-leaves', '\x01a2267bead2792fb005d70ef38c7852', '0b9bec770259c1b37f2ca530dcaab4fd', 'CNY', 15664, 1795943784978574, '\x7946da9e4447427efa74de1af5e215e19d8906c4457d1979833083825b88a614', '\x01a2267bead2792fb005d70ef38c78524bf7bd1fca6ec3bce6bf6c44a53268ed92fd6ae45a0ca2d6d02d1b8a6c4e2d95', '\x7b22636f756e747279223a22434e222c22636f75706f6e73223a5b7b22636f6465223a225445413130222c226c6162656c223a2254656e207065722063656e74206f6666222c2270657263656e744f6666223a223130227d2c7b22636f6465223a22535052494e47222c22657870697265734174223a22323032302d30352d30315430303a30303a30305a222c226c6162656c223a22537072696e672073616c65222c2270657263656e744f6666223a223135227d5d2c2263757272656e6379223a22434e59222c22676f6f6473223a2264656c697665726564222c226c696e6573223a5b7b226c6162656c223a224c6f6e676a696e672c20737072696e67207069636b696e67222c227175616e74697479223a312c2274617852617465223a22302e3133222c22756e6974416d6f756e74223a223132382e3030227d5d2c226d65726368616e744e616d65223a2254776f204c65617665732054656120486f757365222c227365727669636561626c65436f756e7472696573223a5b22434e225d2c227368697070696e674d6574686f6473223a5b7b22616d6f756e74223a2231322e3030222c2264657461696c223a22546872656520746f20666976652064617973222c226964656e746966696572223a227374616e64617264222c226c6162656c223a225374616e64617264227d2c7b22616d6f756e74223a2232382e3030222c2264657461696c223a22546865206e65787420646179222c226964656e746966696572223a2265787072657373222c226c6162656c223a2245787072657373227d5d7d', '\x01a2267beae87000a65565744726fd84', 1, 0, 1795941984978574);
INSERT INTO public.orders VALUES ('two-leaves', '\x01a2267bf13b7bfb8f184b8661bac001', '221d17004aed231b9226d3d5ee6ece91', 'CNY', 15664, 1795943786619749, '\xec63c72df2596e732fda625cc6e3e1ef0389ee92edb82dbf346a972a30c172ca', '\x01a2267bf13b7bfb8f184b8661bac00109738163b42e382631db184739bc9feacaeb841d506579f8cff8a7fe9f453bd7', '\x7b22636f756e747279223a22434e222c22636f75706f6e73223a5b7b22636f6465223a225445413130222c226c6162656c223a2254656e207065722063656e74206f6666222c2270657263656e744f6666223a223130227d2c7b22636f6465223a22535052494e47222c22657870697265734174223a22323032302d30352d30315430303a30303a30305a222c226c6162656c223a22537072696e672073616c65222c2270657263656e744f6666223a223135227d5d2c2263757272656e6379223a22434e59222c22676f6f6473223a2264656c697665726564222c226c696e6573223a5b7b226c6162656c223a224c6f6e676a696e672c20737072696e67207069636b696e67222c227175616e74697479223a312c2274617852617465223a22302e3133222c22756e6974416d6f756e74223a223132382e3030227d5d2c226d65726368616e744e616d65223a2254776f204c65617665732054656120486f757365222c227365727669636561626c65436f756e7472696573223a5b22434e225d2c227368697070696e674d6574686f6473223a5b7b22616d6f756e74223a2231322e3030222c2264657461696c223a22546872656520746f20666976652064617973222c226964656e746966696572223a227374616e64617264222c226c6162656c223a225374616e64617264227d2c7b22616d6f756e74223a2232382e3030222c2264657461696c223a22546865206e65787420646179222c226964656e746966696572223a2265787072657373222c226c6162656c223a2245787072657373227d5d7d', '\x01a2267beed07000ac97af17200dfd4b', 1, 0, 1795941986619749);
INSERT INTO public.orders VALUES ('two-leaves', '\x01a2267beecb7f89b7db83a8a186fdbf', 'bd88c5efe38df2e3003e968e1094649a', 'CNY', 3924, 1795943785995971, '\x9f0a296c3c614e683bcd8c1c157cb8c957b3a9306d957ff1f36e0418e17e97c8', '\x01a2267beecb7f89b7db83a8a186fdbf05f9eed90e63ad17b562632fc20a09906c4732411fd3f70e60e068e472427762', '\x7b22636f756e747279223a22434e222c22636f75706f6e73223a5b7b22636f6465223a225445413130222c226c6162656c223a2254656e207065722063656e74206f6666222c2270657263656e744f6666223a223130227d2c7b22636f6465223a22535052494e47222c22657870697265734174223a22323032302d30352d30315430303a30303a30305a222c226c6162656c223a22537072696e672073616c65222c2270657263656e744f6666223a223135227d5d2c2263757272656e6379223a22434e59222c22676f6f6473223a22656c656374726f6e6963222c226c696e6573223a5b7b226c6162656c223a2241206669656c6420677569646520746f20746561222c227175616e74697479223a312c2274617852617465223a22302e3039222c22756e6974416d6f756e74223a2233362e3030227d5d2c226d65726368616e744e616d65223a2254776f204c65617665732054656120486f757365222c227365727669636561626c65436f756e7472696573223a5b22434e225d2c227368697070696e674d6574686f6473223a5b5d7d', NULL, 1, 0, 1795941985995971);
INSERT INTO public.orders VALUES ('two-leaves', '\x01a2267bf299706a8d36b634e25108a8', '0d6a84a47f112995db25992ae19042f4', 'CNY', 15664, 1795943786969026, '\x05aa7f8a2d8893c564d8b6399efb715452cc92309d6ce50f3ab8ef475d92cb84', '\x01a2267bf299706a8d36b634e25108a809d1fb102ab4fd70aff9c060d05a7445811867b78c7665dd2f5bae1c59cf4203', '\x7b22636f756e747279223a22434e222c22636f75706f6e73223a5b7b22636f6465223a225445413130222c226c6162656c223a2254656e207065722063656e74206f6666222c2270657263656e744f6666223a223130227d2c7b22636f6465223a22535052494e47222c22657870697265734174223a22323032302d30352d30315430303a30303a30305a222c226c6162656c223a22537072696e672073616c65222c2270657263656e744f6666223a223135227d5d2c2263757272656e6379223a22434e59222c22676f6f6473223a2264656c697665726564222c226c696e6573223a5b7b226c6162656c223a224c6f6e676a696e672c20737072696e67207069636b696e67222c227175616e74697479223a312c2274617852617465223a22302e3133222c22756e6974416d6f756e74223a223132382e3030227d5d2c226d65726368616e744e616d65223a2254776f204c65617665732054656120486f757365222c227365727669636561626c65436f756e7472696573223a5b22434e225d2c227368697070696e674d6574686f6473223a5b7b22616d6f756e74223a2231322e3030222c2264657461696c223a22546872656520746f20666976652064617973222c226964656e746966696572223a227374616e64617264222c226c6162656c223a225374616e64617264227d2c7b22616d6f756e74223a2232382e3030222c2264657461696c223a22546865206e65787420646179222c226964656e746966696572223a2265787072657373222c226c6162656c223a2245787072657373227d5d7d', '\x01a2267bf2b87000926e615105cf5786', 1, 0, 1795941986969026);
INSERT INTO public.orders VALUES ('two-leaves', '\x01a2267bf0a47712a69b621e0fa27671', '6bd202fc5b0a4ea9e85d0b6225e66084', 'CNY', 5088, 1795943786468442, '\xf49c322aec288a39f2a169efacf08b3a03a36e69699a94a062c4c5ed32354bbb', '\x01a2267bf0a47712a69b621e0fa2767163abaa4f1991b971436bd83d2ea565dbdf1dc05c0518fe6a071ddaf5c0aa1a89', '\x7b22636f756e747279223a22434e222c22636f75706f6e73223a5b7b22636f6465223a225445413130222c226c6162656c223a2254656e207065722063656e74206f6666222c2270657263656e744f6666223a223130227d2c7b22636f6465223a22535052494e47222c22657870697265734174223a22323032302d30352d30315430303a30303a30305a222c226c6162656c223a22537072696e672073616c65222c2270657263656e744f6666223a223135227d5d2c2263757272656e6379223a22434e59222c22676f6f6473223a22656c656374726f6e6963222c226c696e6573223a5b7b226c6162656c223a225261696e206f6e20736c617465222c227175616e74697479223a312c2274617852617465223a22302e3036222c22756e6974416d6f756e74223a2234382e3030227d5d2c226d65726368616e744e616d65223a2254776f204c65617665732054656120486f757365222c227365727669636561626c65436f756e7472696573223a5b22434e225d2c227368697070696e674d6574686f6473223a5b5d7d', NULL, 1, 0, 1795941986468442);
INSERT INTO public.outbox VALUES ('two-leaves', '\x01a2267beae87000a65565744726fd84', 'unionpay', 'consume', '\x01a2267beae87000a65565744726fd84', 1, '\x', 'consume', 'done', 1, 1795942025227016, '00 成功[0000000]', '\x', 1795941985227016);
INSERT INTO public.outbox VALUES ('two-leaves', '\x01a2267beae87000b609a49dc1295a95', 'unionpay', 'refund', '\x01a2267beae87000b609a49dc1295a95', 1, '\x01097365616c696e672d311d4c516c8f1452b3dc636ada0443bfad4a900de329a7b8ce8ae05118b6f855fb3007a53a6a7a0e5cc26c6a56a047ad22def91bba114f78c135dced593978f44a33920f8f14061e2f90f39c3f3b22d538bbe403c718c18e3ff0fc9c2c0a3886e6f052b68facf40a2d841335494bfaa0a697b3c07d71933da275cc443503e03e814321d515f4726afe0a1b9defa9de952da497e683fadb5368dcd413b9ebc2b581c936eb65d5cbb38a9f2395ffe65e3a1c1881056a8285c205444110932a4b2ac48a0bdfff9d08e464286b8e3032ede9c59d1ad597cb18353141b58078c6a55181fe73f9a92fe570d5eeb9330bfa2f46d70c03a14d7f227d394cc543c9921a54afe326d35673bbc4138fc4ad3b8f0fd3a8897d13fa55b22e576ed232a5bddbc362c1ce675dd73372c8ef10197c57f38a0519de0530e01f5beeb50e37daa08d2da3b17780e827123e682cf74fa928917b91021ee0da67eab319bbd237d99f5ef8bfd582ad34004db0aa0e92c8e80e94e9e9b0b21f1045becd4fc6146c49dd1129f2951a9ad3d889d9cf5d0d1fc5aa6bfdbda71890b19bbdbd3d842c4169dd178a8526cb2f83846eaf8c8597569405f766882677298657530ca44a656b1e96436050463fe754d97ebd8581d1f893659166d574ed2378247d1b9744f20f4747e7df12685e97dcba778d2940b7e1838902cb846a86214fdb60625c0eb53da961c5f6f37d5fcf0f4e8560f8d967b11787adc832a34987f78aff27e73ba10cea1a02b32296916325135d19616f94b519333184468fe80301e601ec9f4452617134bcffea1f9412ceeb32c14d5455a3980b5d16bebb3e5b5f24dafd849381b1f7b09ba5b584b90c756a933df664bba423eeb8b153906ad22d505c3d5d4d7fb71605c755331c4a075a73584d3d5a227c6ea4243af3f8354bfb61b26a9dc212a25f120d14e01c8b8e48731110fb1ace484bb00b3ca55ed73cacb87ce26fd094506e417786ab41d8391aa8e32e7d3183da6b127311de9e403aa3230b5a83e71e844ce30a9525fefc3b5d4dd8ce', 'refund', 'done', 1, 1795942025452991, '00 成功[0000000]', '\x', 1795941985452991);
INSERT INTO public.outbox VALUES ('two-leaves', '\x01a2267beae87000b48a8c7318ef1020', 'unionpay', 'refund', '\x01a2267beae87000b48a8c7318ef1020', 1, '\x01097365616c696e672d31b746c44e5d203019dda8606320fc5771b0d201d8b4d2edb01a9dede96954a24ca849828d75b8044e99117325d851d107a04b3cb3ff989e4347bf87abbe44968d9f3c60023cdcdcb1f86f610eacdccbec826b4f9f25bdfb2523b639efd2d254666ee3c758460f1a8b292a57a04d9e6417e5158a74d7b6637db21637659969800261b61f1748fba7080ca21d9347b7afccfa49cc2cff0ad018ef30c7da2005e2a172bb926be373f010c08a73e9f0b4ed8f6711bb01d67d38fa50da6e0fc95f3f09b975e51045173760d4376ff9cae1c6a7ccbfee65740df90f4e223e5d78f4e436c102955a82c431afe4bb8befb09f6a6a1c74835fb6ebbcf77260a469a35a2c955afd01c07e78d43bc951362e7f4de4439efeb0c9726b683b1f8f1a661128032823417e40c6c8441f552f66322aabe0156c11ad2e54497a17fe0ebb6989c6ec33d7c903539251f9035565e4be8b852c8bf0f08a27c3b58586017f7439ed08795430bba7908eec6fda517f6df0b680e6e686e6c64679da99a8a34b8e6b325665a68f2c38261e87d620bef5d59b54b3c807d116775795ee809c290f2d772734964fc51eca1b05d7d6aa572cef457124b6d39f51d645be17488e98e3b8adea2f79e9b5d11db32b3a45fe56583c5806059d3e6fac225b96d9da1eec29d94697d09ff773d56f93e7443bdde5916b9e44a88bfa0e13cd427cf2a67389928171427f5178bf8b79336faeebf8f0930f8c5bc563c6c088d76800139e61747241eb9eefab7c7ec0ce17cbaa33cd46b60fc6297c6c8e69989a30c4390dd7222f309f3316d51abf7c94718472b5cd76a9d33baa2d8a7400fe8904fa9bd5de3571507b4e9c5a42a26dc1d749337364b83f36bbe192fe3b85656d798afe3cf10ef83a692f665069c7472bfc89e1150deba1ddf754c6e3fc8783c90ad9c82744a23c78bf45ed6ff5eedcc28aa54d0a5e983447a39db3089ae5cacded97da2203353e9d4999319fcfe40c5fba27c8146c897d7b10a17ef34cdc08751e29cc507a83c8836735ccd840c07d04', 'refund', 'done', 1, 1795942025641174, '00 成功[0000000]', '\x', 1795941985641174);
INSERT INTO public.outbox VALUES ('two-leaves', '\x01a2267beed07000bb3971d4ee0d18b8', 'unionpay', 'consume', '\x01a2267beed07000bb3971d4ee0d18b8', 1, '\x', 'consume', 'done', 1, 1795942026057263, '00 成功[0000000]', '\x', 1795941986057263);
INSERT INTO public.outbox VALUES ('two-leaves', '\x01a2267beed07000bf72a4228d3131a9', 'unionpay', 'void', '\x01a2267beed07000bf72a4228d3131a9', 1, '\x01097365616c696e672d31f6b1f71130cc80114d130c0bce29a73433327c88d330a69e7975e8a7cf46f9544f01599b839b902bc8440a5524b25c53b14145a17dcfa2af1e6b20f28022ff9758b7b7d2be3c5987df516b3f7a00c3f3870721aa085096ac8385123c307e13df1e707392e41d0b4bbb0d299070500935ec57eacf815229d5d9b5432f67d74933d9efa7afe96237868ef7881ff19ca9e31da37a9752ad6060174e1f393ba0634f48a418999588a6552e54b878ee0861cd6f710ba1de18d099ec7cd135c3611e77a1ae2a947821925083f27ff591995e91c3d5d2f8d73fe555e32dcf82d8b0621cb7bb04c8910df9dd68e96fd69b3a6ad0f5d4c381ee6040ea216da2f073787a2e41874d0ecaec4b153c89e7c7c66946b26532ee1555219864c4d956bb56f266321d3e97e6069b5d3057e8f769fcefafcb6d9239401efd791f8fd830b5f9fda75c913f9e8d8b523580d888cc28e4f1d0021547afab53d25396a88e6411f8b00e47269b1ffc3bd496045884c30a1a886b4e3368a97bfd77dabc0d1c50a5359879cc8ab8142c2603decd45a248df54bc0073336066b03ad2402364101a6992ea1286f186ac9335fa5b8412a3169a16d76a1a16070a060822f6bba6f4a3d60126fc271e171a8d9e2dccc45ac60276701f696287640b3727781f4011ce2f44029a133882a25ecb0fefaded021242d4cb2af879ec80318eaea109ddf5b5d52317740e85afe8c4dcfc2269f4e1c5eda1450d3996fa6884fc64e67bd0785aec08c522ff2150538b4a47f53ed0d3dd7432442740f5d55a6ccbd5ba1e7fdf937e2444e81d77309d76d40952fac371184060675c575aa8b3a8a022fd6bcda55347ff5ac59b976fad43be22e30716dd2492d645651b8d0936c29fb7f220a4ead25aa38b18b290567a48c4cfb35cf612db9c46b0ee7368822b578946443b5f045f056e74af405a634c67a47e624e9c0350038af6c5e5407d2603d66b7ef5beb21105c1ce453e538b2764491870da7a3c8866fe72e5cab4cb954efb14b48a9cfeeed53560d86e22375c', 'void', 'done', 1, 1795942026245315, '00 成功[0000000]', '\x', 1795941986245315);
INSERT INTO public.outbox VALUES ('two-leaves', '\x01a2267beed0700096c94fc37c55cac7', 'unionpay', 'consume', '\x01a2267beed0700096c94fc37c55cac7', 1, '\x', 'consume', 'done', 1, 1795942026523649, '61 The card number is not valid.[9100000]', '\x', 1795941986523649);
INSERT INTO public.outbox VALUES ('two-leaves', '\x01a2267beed07000ac97af17200dfd4b', 'unionpay', 'consume', '\x01a2267beed07000ac97af17200dfd4b', 1, '\x', 'consume', 'done', 1, 1795942026759913, '00 成功[0000000]', '\x', 1795941986759913);
INSERT INTO public.outbox VALUES ('two-leaves', '\x01a2267bf2b87000926e615105cf5786', 'unionpay', 'consume', '\x01a2267bf2b87000926e615105cf5786', 1, '\x', 'consume', 'done', 1, 1795942027093477, '00 成功[0000000]', '\x', 1795941987093477);
INSERT INTO public.payment_alarms VALUES ('two-leaves', '\x01a2267bf2b87000926e615105cf5786', 'amount-differs', 1795941987362164, 'the settlement file of 20261129', NULL, NULL);
INSERT INTO public.payment_alarms VALUES ('two-leaves', '\x01a2267beed07000ac97af17200dfd4b', 'amount-differs', 1795941987358820, 'the settlement file of 20261129', 1795941987414094, 'chief');
INSERT INTO public.payments VALUES ('two-leaves', '\x01a2267beae87000a65565744726fd84', '\x01a2267bead2792fb005d70ef38c7852', 'CNY', 15664, 'partlyRefunded', 75, 350, 350, 7, '777290058110048/01a2267beae87000a65565744726fd84/20261129164625', '202611291646251269961', '20261129', '00 成功[0000000]', NULL, '\x7b226163636f756e7448617368223a2266383235376561356138383166343466626261383531376631666364373434623135653365366339663862643861653133316264343135656338613734346363222c22636f6e7461637473223a2241516c7a5a5746736157356e4c544658746973706e2f693868336e2b674241726768474c37624e4745315654387a4e483659424f6f7a56774f724d516b65736c3544485052415546684259626b2f6a787079306e34764a4a70674e48666c43443149564343445974394f2f676535776f5665485a4e69703430524179503135397062713963546d6449624b2f39327267566a41423562724e446b616c52475a2b396a4c49775a32642f31786d7a4a2b45706964467948664653427245672f724c4270495771523351644d6238796e42484b4b4f426150656a412b4d31347050347a75494f313144376c773967356e44636c4d395344454271675779516c63504d4d493931692f2b7a7274596976506a4539633435317955573246366f7376504a774f612f674c635642624e4473476c656268466f54717651594a36384a426a377564656d724143335855416a78716843746a344d41714a4250357836446a664130304d7975752f3341567a2b553836576673304c6d3965634c4f4d78517143636e36516d424b396345624a39303831415059313149726951576b476f30527469587977323575787a6a64476c4844313937776832534764575256773d222c226974656d73223a5b7b22616d6f756e74223a223132382e3030222c226c6162656c223a224c6f6e676a696e672c20737072696e67207069636b696e67222c2274797065223a2266696e616c227d2c7b22616d6f756e74223a2231362e3634222c226c6162656c223a22546178222c2274797065223a2266696e616c227d2c7b22616d6f756e74223a2231322e3030222c226c6162656c223a225374616e64617264222c2274797065223a2266696e616c227d5d2c226d61736b65644163636f756e74223a22363233333138e280a2e280a2e280a2e280a2e280a2e280a231363136222c226e6574776f726b223a224368696e61556e696f6e506179222c2270617954696d656f7574223a313739353934323838352c227368697070696e674d6574686f64223a227374616e64617264222c227472616e73616374696f6e4964656e746966696572223a2234303636343136643137643134666463383535373431323466373538346534623532313865353262653836613564356265353961343135363166363539323263227d', 8, '\xb092957f965d7b28ae45de327b2e0bfd39b0be3301c4e99878f1790c5b7912eb', 1795941985227016, 1795941985706296);
INSERT INTO public.payments VALUES ('two-leaves', '\x01a2267beed0700096c94fc37c55cac7', '\x01a2267bf0a47712a69b621e0fa27671', 'CNY', 5088, 'failed', 35, 0, 0, 2, '777290058110048/01a2267beed0700096c94fc37c55cac7/20261129164626', '202611291646261726938', NULL, '61 The card number is not valid.[9100000]', NULL, '\x7b226163636f756e7448617368223a2266383235376561356138383166343466626261383531376631666364373434623135653365366339663862643861653133316264343135656338613734346363222c22636f6e7461637473223a2241516c7a5a5746736157356e4c54452f47396e5a6e664f3046683332324b4747544e59757067474b39676d4e6f314b7a516e31794b4f7546656e5948627257413674336c586c382b68386a6c39655963782f5551705937455979365a4c767472537259497448614c6744744f414d354c5861754b416641777a644461396d55446f46565664486c7a4d53636e6437413d222c226974656d73223a5b7b22616d6f756e74223a2234382e3030222c226c6162656c223a225261696e206f6e20736c617465222c2274797065223a2266696e616c227d2c7b22616d6f756e74223a22322e3838222c226c6162656c223a22546178222c2274797065223a2266696e616c227d5d2c226d61736b65644163636f756e74223a22363233333138e280a2e280a2e280a2e280a2e280a2e280a231363136222c226e6574776f726b223a224368696e61556e696f6e506179222c2270617954696d656f7574223a313739353934323838362c227472616e73616374696f6e4964656e746966696572223a2263643631393430663139386630393836376264393361623530386130343936306631303734373431323636346230646462373536633666623761383239613465227d', 3, '\x38dcbcfe7c23e76ca6af3db3af2bb56a30b04c32b4d3e2296654b5f80f84e1e5', 1795941986523649, 1795941986568662);
INSERT INTO public.payments VALUES ('two-leaves', '\x01a2267beed07000bb3971d4ee0d18b8', '\x01a2267beecb7f89b7db83a8a186fdbf', 'CNY', 3924, 'reversed', 203, 0, 3924, 5, '777290058110048/01a2267beed07000bb3971d4ee0d18b8/20261129164626', '202611291646265086841', '20261129', '00 成功[0000000]', NULL, '\x7b226163636f756e7448617368223a2266383235376561356138383166343466626261383531376631666364373434623135653365366339663862643861653133316264343135656338613734346363222c22636f6e7461637473223a2241516c7a5a5746736157356e4c5446595a355a37444f3665744b704d515759476a2b534e554e33463574456f696668487a542b704838382b41686b2f54636f786e2f645934586e574577764152577a596b786466383136643045566b7051577468787a512f694453334d495379786d4850694d626b792b363947315a666f6e613963574156507a3062707543584b453d222c226974656d73223a5b7b22616d6f756e74223a2233362e3030222c226c6162656c223a2241206669656c6420677569646520746f20746561222c2274797065223a2266696e616c227d2c7b22616d6f756e74223a22332e3234222c226c6162656c223a22546178222c2274797065223a2266696e616c227d5d2c226d61736b65644163636f756e74223a22363233333138e280a2e280a2e280a2e280a2e280a2e280a231363136222c226e6574776f726b223a224368696e61556e696f6e506179222c2270617954696d656f7574223a313739353934323838362c227472616e73616374696f6e4964656e746966696572223a2236376364376633616563376636306461353735346366383231353361366261613263313965393331363935613763333133366663616263343261616465616263227d', 6, '\x2e061cc185718db2eae7f2d81e4373db95233daecfc871238f51474ff3f42a59', 1795941986057263, 1795941986328126);
INSERT INTO public.payments VALUES ('two-leaves', '\x01a2267beed07000ac97af17200dfd4b', '\x01a2267bf13b7bfb8f184b8661bac001', 'CNY', 15664, 'succeeded', 75, 0, 0, 5, '777290058110048/01a2267beed07000ac97af17200dfd4b/20261129164626', '202611291646266639072', '20261129', '00 成功[0000000]', NULL, '\x7b226163636f756e7448617368223a2266383235376561356138383166343466626261383531376631666364373434623135653365366339663862643861653133316264343135656338613734346363222c22636f6e7461637473223a2241516c7a5a5746736157356e4c54456753384a346c51643458302f6a5277703667425768384f3747615553663872554e694a65494e3935505536794a4a6d554739414e4f6f486e71624d5631586730492f78735474757536484e396c66766758506f6c556a7046694e4f79305a4658595a62595733503977727330514a7937552f347534472f4e736c63774f53644c58665568454b376b537a4c4d586653477a2f324e58774b6c49645277495133574b58713174325a4374454866527a696a786c48546673453858795871736253526e724f4f6e783530527a4f68506b51552b2b52376a483761394961677267396d715a4b4d466457354e58624f594e746c5251304d4c646532674c44704d664d444d48694f6d70486c695548726f505a685a615a68304c5679386d4c6135715159367a4b354e315444784f474f503242433652466e6f783366454a79384b59494c6c446a64426b69513938757539666e665837456445656f4f4e3858566c7558566a633853435763527a317944586d6868705332757254714d7a6b73695874563965345755595044654a474935696437365063797566704954352b74454345436d565a6837574b454f726f59413d222c226974656d73223a5b7b22616d6f756e74223a223132382e3030222c226c6162656c223a224c6f6e676a696e672c20737072696e67207069636b696e67222c2274797065223a2266696e616c227d2c7b22616d6f756e74223a2231362e3634222c226c6162656c223a22546178222c2274797065223a2266696e616c227d2c7b22616d6f756e74223a2231322e3030222c226c6162656c223a225374616e64617264222c2274797065223a2266696e616c227d5d2c226d61736b65644163636f756e74223a22363233333138e280a2e280a2e280a2e280a2e280a2e280a231363136222c226e6574776f726b223a224368696e61556e696f6e506179222c2270617954696d656f7574223a313739353934323838362c227368697070696e674d6574686f64223a227374616e64617264222c227472616e73616374696f6e4964656e746966696572223a2265343263346336346662326133636636353939306332626536343462616565633238363435626263396339373130363532633061366562356163356339626131227d', 5, '\x5dc53372758932f2487a74991d58a363e9baa73087cb14490e7985294fc976d9', 1795941986759913, 1795941987414094);
INSERT INTO public.payments VALUES ('two-leaves', '\x01a2267bf2b87000926e615105cf5786', '\x01a2267bf299706a8d36b634e25108a8', 'CNY', 15664, 'succeeded', 75, 0, 0, 4, '777290058110048/01a2267bf2b87000926e615105cf5786/20261129164627', '202611291646274598294', '20261129', '00 成功[0000000]', 'amount-differs', '\x7b226163636f756e7448617368223a2266383235376561356138383166343466626261383531376631666364373434623135653365366339663862643861653133316264343135656338613734346363222c22636f6e7461637473223a2241516c7a5a5746736157356e4c544535686b6d7a597163516e75427953463443324a4d67524f67357455554e356d726a2b6f2f2f7652746b51464d666f4572463858696b566365415031516c7a7577756d386e737544722b47585038755263464c594f3658715075457a47354c362f4c676342634f2b414d574252705179636b45644c494a36704353466e34514939506343627a4d33492f684146556b5161692b3144384941505063616c364e32584d4a464954356d70377573702b5473667a52566c646b74492f614446344a4c6b46627976695634794745622b584d624d3454775057666a542f5962446f76416c333776565a4f3175447836472b70396446636f384766334e594c317555474c706c476459516c533749344b583459656d6e2f727a52432b6a586b76354d44427238786a437543327167426a716d6c70766147635a537a364e5575706264562f636a496e5146517379566a79526a436661546e38656a736455596b346e546437394c39645443306a39374b35364c51315654794a32676a77684b507279776843444e323846502f4e2f3439424531345776593571545072794f324439424278555343526f777a62696b734d45773d222c226974656d73223a5b7b22616d6f756e74223a223132382e3030222c226c6162656c223a224c6f6e676a696e672c20737072696e67207069636b696e67222c2274797065223a2266696e616c227d2c7b22616d6f756e74223a2231362e3634222c226c6162656c223a22546178222c2274797065223a2266696e616c227d2c7b22616d6f756e74223a2231322e3030222c226c6162656c223a225374616e64617264222c2274797065223a2266696e616c227d5d2c226d61736b65644163636f756e74223a22363233333138e280a2e280a2e280a2e280a2e280a2e280a231363136222c226e6574776f726b223a224368696e61556e696f6e506179222c2270617954696d656f7574223a313739353934323838372c227368697070696e674d6574686f64223a227374616e64617264222c227472616e73616374696f6e4964656e746966696572223a2261363461383966623164326337613263353662353533636362306466653132356464316666396633333061666431303236333532316639623537386638366163227d', 5, '\xbad394f3afd0b5f691383dae80bf517a112cee55407173bc21ffd6d89e51f882', 1795941987093477, 1795941987362164);
ALTER TABLE ONLY public.audit_rows
    ADD CONSTRAINT audit_rows_pkey PRIMARY KEY (merchant, chain, sequence);
ALTER TABLE ONLY public.billfold_clock
    ADD CONSTRAINT billfold_clock_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.billfold_migration_rules
    ADD CONSTRAINT billfold_migration_rules_pkey PRIMARY KEY (name);
ALTER TABLE ONLY public.billfold_migrations
    ADD CONSTRAINT billfold_migrations_pkey PRIMARY KEY (name);
ALTER TABLE ONLY public.billfold_store
    ADD CONSTRAINT billfold_store_pkey PRIMARY KEY (name);
ALTER TABLE ONLY public.card_api_keys
    ADD CONSTRAINT card_api_keys_pkey PRIMARY KEY (key_hash);
ALTER TABLE ONLY public.card_reconciliation
    ADD CONSTRAINT card_reconciliation_pkey PRIMARY KEY (merchant, settlement_day, line);
ALTER TABLE ONLY public.card_tokens
    ADD CONSTRAINT card_tokens_pkey PRIMARY KEY (merchant, transaction_id);
ALTER TABLE ONLY public.deadlines
    ADD CONSTRAINT deadlines_pkey PRIMARY KEY (merchant, subject, kind);
ALTER TABLE ONLY public.idempotency_keys
    ADD CONSTRAINT idempotency_keys_pkey PRIMARY KEY (caller, operation, key);
ALTER TABLE ONLY public.ledger_postings
    ADD CONSTRAINT ledger_postings_pkey PRIMARY KEY (merchant, source, template, ordinal, line);
ALTER TABLE ONLY public.modifications
    ADD CONSTRAINT modifications_merchant_external_key_key UNIQUE (merchant, external_key);
ALTER TABLE ONLY public.modifications
    ADD CONSTRAINT modifications_pkey PRIMARY KEY (merchant, id);
ALTER TABLE ONLY public.operator_approvals
    ADD CONSTRAINT operator_approvals_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.operator_sessions
    ADD CONSTRAINT operator_sessions_pkey PRIMARY KEY (token_hash);
ALTER TABLE ONLY public.operators
    ADD CONSTRAINT operators_pkey PRIMARY KEY (name);
ALTER TABLE ONLY public.orders
    ADD CONSTRAINT orders_merchant_reference_key UNIQUE (merchant, reference);
ALTER TABLE ONLY public.orders
    ADD CONSTRAINT orders_pkey PRIMARY KEY (merchant, id);
ALTER TABLE ONLY public.outbox
    ADD CONSTRAINT outbox_pkey PRIMARY KEY (merchant, id);
ALTER TABLE ONLY public.payment_alarms
    ADD CONSTRAINT payment_alarms_pkey PRIMARY KEY (merchant, payment_id, kind, raised_at);
ALTER TABLE ONLY public.payments
    ADD CONSTRAINT payments_merchant_external_key_key UNIQUE (merchant, external_key);
ALTER TABLE ONLY public.payments
    ADD CONSTRAINT payments_pkey PRIMARY KEY (merchant, id);
ALTER TABLE ONLY public.retention_marks
    ADD CONSTRAINT retention_marks_pkey PRIMARY KEY (name);
ALTER TABLE ONLY public.unmatched_notices
    ADD CONSTRAINT unmatched_notices_owner_source_natural_key_key UNIQUE (owner, source, natural_key);
ALTER TABLE ONLY public.unmatched_notices
    ADD CONSTRAINT unmatched_notices_pkey PRIMARY KEY (owner, id);
CREATE INDEX deadlines_by_time ON public.deadlines USING btree (due_at);
CREATE INDEX idempotency_keys_by_age ON public.idempotency_keys USING btree (created_at);
CREATE INDEX modifications_by_payment ON public.modifications USING btree (merchant, payment_id, id);
CREATE INDEX modifications_by_settlement_day ON public.modifications USING btree (merchant, settlement_day, id);
CREATE INDEX operator_approvals_by_state ON public.operator_approvals USING btree (state, requested_at);
CREATE INDEX outbox_dead ON public.outbox USING btree (merchant, created_at) WHERE (state = 'dead'::text);
CREATE INDEX outbox_ready ON public.outbox USING btree (due_at) WHERE (state = 'ready'::text);
CREATE INDEX payment_alarms_open ON public.payment_alarms USING btree (merchant, raised_at) WHERE (cleared_at IS NULL);
CREATE INDEX payments_alarming ON public.payments USING btree (merchant, id) WHERE (alarm IS NOT NULL);
CREATE INDEX payments_awaited ON public.payments USING btree (merchant, created_at) WHERE ((state = 'created'::text) OR (state = 'authorised'::text) OR (state = 'submitted'::text) OR (state = 'accepted'::text) OR (state = 'unknown'::text));
CREATE INDEX payments_by_order ON public.payments USING btree (merchant, order_id, id);
CREATE INDEX payments_by_settlement_day ON public.payments USING btree (merchant, settlement_day, id);
CREATE INDEX unmatched_notices_open ON public.unmatched_notices USING btree (owner, received_at) WHERE (settled_at IS NULL);
