package org.aspas.certify.vectors;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;
import org.aspas.certify.wire.Codec;
import org.aspas.certify.wire.Kind;
import org.aspas.certify.wire.Message;
import org.aspas.certify.wire.Sealer;

/** One message of each kind with its fields, and texts that are no messages (docs/formats.md §2). */
final class MessageVectors {
    /** The names of the fields, in the order of the table of the page. */
    static final Map<Kind, String> FIELDS = Map.ofEntries(
            Map.entry(Kind.REQUEST, "client number objectKey type operation"),
            Map.entry(Kind.OPEN_SESSION, "client number tolerance share home"),
            Map.entry(
                    Kind.RESPONSE,
                    "server sequence client reference result dot leaf version logRootsDigest certificateNumber certificateDigest"),
            Map.entry(Kind.ANSWER, "response certificate proof"),
            Map.entry(Kind.REFUSAL, "client reference nonce reason detail"),
            Map.entry(Kind.READ, "nonce objectKey type certified certificateNumber part"),
            Map.entry(Kind.HELLO, "deploymentId server"),
            Map.entry(Kind.CONFIRMATION, "client certificate covered"),
            Map.entry(Kind.GET_CERTIFICATE, "number"),
            Map.entry(Kind.CERTIFICATE_REPLY, "number certificate"),
            Map.entry(Kind.ASK_STANDING, "client nonce named"),
            Map.entry(Kind.STANDING, "server client nonce certificate held"),
            Map.entry(Kind.INSPECT, "client nonce response question"),
            Map.entry(Kind.INSPECTREPLY, "server client nonce answer logRootsDigest outcome"),
            Map.entry(Kind.TAGGED_REQUEST, "request tags"),
            Map.entry(Kind.HEAD, "origin size logRoot"),
            Map.entry(Kind.ENTRY, "dot dependencies body"),
            Map.entry(Kind.BATCH, "head entries tags"),
            Map.entry(Kind.FRONTIER, "version heads certificateNumber"),
            Map.entry(Kind.PULL, "origin after certifiedSize"),
            Map.entry(Kind.CERTIFIED_ENTRIES, "origin rootBefore before entries after"),
            Map.entry(Kind.SNAPSHOT_PULL, "certificateNumber place"),
            Map.entry(Kind.SNAPSHOT_HEAD, "certificate logEnds"),
            Map.entry(Kind.SNAPSHOT_CHUNK, "certificateNumber place page contents"),
            Map.entry(Kind.VERTOBFT, "server version heads"),
            Map.entry(Kind.BFTREQSTABLE, "replica epoch round previous number version exclusions"),
            Map.entry(Kind.STABLE, "server epoch round previous version logRoots closed logRootsAtClosed stateRoot"),
            Map.entry(Kind.TICK, "replica k"),
            Map.entry(Kind.ACCEPT, "replica number attempt content"),
            Map.entry(Kind.CERTIFICATE_CONTENT, "deploymentId number previous version logRoots stateRoot exclusions"),
            Map.entry(Kind.SHARE, "replica content"),
            Map.entry(Kind.CERTIFICATE, "payload signatures"),
            Map.entry(Kind.COMMIT, "replica number attempt content"),
            Map.entry(Kind.RECOVER, "replica start answers knowing epoch number attempt proven"),
            Map.entry(Kind.PROVEN_CONTENT, "payload accepts"),
            Map.entry(Kind.FORKED_HEADS, "one other"),
            Map.entry(Kind.FORKED_ENTRIES, "one other"),
            Map.entry(Kind.BROKEN_ENTRY, "head entry before"),
            Map.entry(Kind.ANSWER_AGAINST_LOG, "response certificate leaf inclusion"),
            Map.entry(Kind.ANSWER_AGAINST_HEAD, "response head leaf inclusion"),
            Map.entry(Kind.BAD_CERTIFICATE, "response certificate"),
            Map.entry(Kind.CERTIFICATE_WENT_BACK, "earlier later"),
            Map.entry(Kind.WRONG_ANSWER, "response question replies"),
            Map.entry(Kind.WRONG_STATE, "stable others"),
            Map.entry(Kind.CLIENT_EQUIVOCATION, "one other"),
            Map.entry(Kind.COMPLAIN, "client nonce evidence"),
            Map.entry(Kind.BLACKLIST, "server evidence accused finding"),
            Map.entry(Kind.VERDICT, "server evidence blacklists"));

    private MessageVectors() {}

    static ArrayNode make() {
        VectorCases cases = new VectorCases();
        new MessageSamples().all().forEach((name, message) -> fill(cases.valid(name), message));
        MalformedMessages.all()
                .forEach(each -> cases.invalid(each.name(), each.reason()).put("hex", each.hex()));
        return cases.list();
    }

    private static void fill(ObjectNode out, Message message) {
        Kind kind = message.kind();
        byte[] bytes = Codec.encode(message);
        out.put("kind", String.valueOf(kind.number()))
                .put("kindName", kind.type().getSimpleName())
                .put("hex", VectorJson.hex(bytes));
        out.set("fields", fields(kind, VectorJson.items(bytes)));
        if (signed(kind)) {
            Sealer sealer = signer(kind);
            out.put("domain", Sealer.domainOf(message).label())
                    .put("signer", sealer.publicKey().toString())
                    .put("frame", VectorJson.hex(sealer.seal(message)));
        } else {
            out.putNull("domain").put("frame", VectorJson.hex(bytes));
        }
    }

    private static JsonNode fields(Kind kind, JsonNode items) {
        ObjectNode out = VectorJson.object();
        String[] names = String.valueOf(FIELDS.get(kind)).split(" ", -1);
        for (int i = 0; i + 1 < items.size(); i++) {
            out.set(names[i], items.get(i + 1));
        }
        return out;
    }

    private static boolean signed(Kind kind) {
        return switch (kind) {
            case REQUEST,
                    OPEN_SESSION,
                    RESPONSE,
                    ASK_STANDING,
                    STANDING,
                    INSPECT,
                    INSPECTREPLY,
                    HEAD,
                    VERTOBFT,
                    BFTREQSTABLE,
                    STABLE,
                    TICK,
                    ACCEPT,
                    CERTIFICATE_CONTENT,
                    COMMIT,
                    RECOVER,
                    COMPLAIN,
                    BLACKLIST,
                    VERDICT -> true;
            default -> false;
        };
    }

    private static Sealer signer(Kind kind) {
        return switch (kind) {
            case REQUEST, OPEN_SESSION, ASK_STANDING, INSPECT, COMPLAIN -> VectorWorld.WORLD.client;
            case BFTREQSTABLE, TICK, ACCEPT, CERTIFICATE_CONTENT, COMMIT, RECOVER -> VectorWorld.WORLD.replica(0);
            default -> VectorWorld.WORLD.server(0);
        };
    }
}
