package org.aspas.certify.vectors;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.aspas.certify.identity.AgreementKey;
import org.aspas.certify.identity.AgreementShare;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.tag.RequestTags;
import org.aspas.certify.wire.OpenSession;
import org.aspas.certify.wire.Request;
import org.aspas.certify.wire.Signed;
import org.aspas.certify.wire.TaggedRequest;

/** Agreement keys, shares and tags (docs/formats.md §22), in the deployment of {@code descriptor.json}. */
final class TagVectors {
    private static final VectorWorld WORLD = VectorWorld.WORLD;
    private static final int SECRET = 0x77;

    private TagVectors() {}

    static ObjectNode make() {
        byte[] secret = new byte[32];
        Arrays.fill(secret, (byte) SECRET);
        AgreementKey own = AgreementKey.of(secret);
        List<AgreementShare> servers = WORLD.descriptor.agreements();
        Signed<OpenSession> session =
                WORLD.client.seal(new OpenSession(WORLD.clientId, 2, 8, new OpenSession.Share(own.share(), 0)));
        Signed<Request> request = WORLD.request(2);
        byte[] tags = RequestTags.of(own, servers, WORLD.deployment, session.identity())
                .of(request);
        ObjectNode out = VectorJson.object();
        out.put("sharePrivateKey", VectorJson.hex(secret))
                .put("share", own.share().toString())
                .put("home", "0")
                .put("openSession", VectorJson.hex(session))
                .put("openSessionIdentity", session.identity().toString())
                .put("request", VectorJson.hex(request))
                .put("tags", VectorJson.hex(tags))
                .put("taggedRequest", VectorJson.hex(new TaggedRequest(request, tags)));
        var list = out.putArray("servers");
        for (int server = 0; server < servers.size(); server++) {
            Hash session32 = session.identity();
            list.addObject()
                    .put("server", String.valueOf(server))
                    .put("seed", VectorJson.hex(VectorWorld.appserverKey(server).seed()))
                    .put("agreementKey", servers.get(server).toString())
                    .put(
                            "key",
                            VectorJson.hex(own.agree(servers.get(server), WORLD.deployment, info(session32, server))
                                    .orElseThrow()))
                    .put("tag", VectorJson.hex(Arrays.copyOfRange(tags, 16 * server, 16 * server + 16)));
        }
        out.set("noKey", noKey(own).list());
        return out;
    }

    private static byte[] info(Hash session, int server) {
        byte[] label = "aspas/v1/tags\0".getBytes(StandardCharsets.US_ASCII);
        return ByteBuffer.allocate(label.length + Hash.LENGTH + 1)
                .put(label)
                .put(session.toBytes())
                .put((byte) server)
                .array();
    }

    /** Shares of small order, with which there is no key. */
    private static VectorCases noKey(AgreementKey own) {
        VectorCases cases = new VectorCases();
        for (String share : List.of(
                "00".repeat(32),
                "01" + "00".repeat(31),
                "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f")) {
            AgreementShare other = AgreementShare.of(VectorJson.bytes(share));
            if (own.agree(other, WORLD.deployment, new byte[0]).isPresent()) {
                throw new IllegalStateException("a key with " + share);
            }
            cases.invalid("share " + share.substring(0, 2), "X25519 gives 32 zero bytes")
                    .put("share", share);
        }
        return cases;
    }
}
