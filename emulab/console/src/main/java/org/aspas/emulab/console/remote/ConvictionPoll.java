package org.aspas.emulab.console.remote;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.URI;
import java.net.http.HttpClient;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.aspas.certify.evidence.EvidenceJudge;
import org.aspas.certify.evidence.Judgement;
import org.aspas.certify.identity.NodeDescription;
import org.aspas.certify.identity.Role;
import org.aspas.certify.wire.Codec;
import org.aspas.certify.wire.Digests;
import org.aspas.certify.wire.Evidence;
import org.aspas.emulab.console.feed.ConsoleState;
import org.aspas.emulab.console.feed.ProofShelf;

/** Asks every appserver who is out and why, and takes the proofs that prove something. For one thread. */
final class ConvictionPoll {
    private final WatchOptions options;
    private final ConsoleState state;
    private final ProofShelf proofs;
    private final HttpClient http;
    private final EvidenceJudge judge;
    private final Set<String> known = new HashSet<>();

    ConvictionPoll(WatchOptions options, ConsoleState state, ProofShelf proofs, HttpClient http) {
        this.options = options;
        this.state = state;
        this.proofs = proofs;
        this.http = http;
        this.judge = EvidenceJudge.of(options.descriptor());
    }

    void publish() {
        for (NodeDescription server : options.descriptor().nodes(Role.APPSERVER)) {
            JsonNode told = ServerAnswer.json(http, server.http().resolve("/v1/blacklist"))
                    .join();
            told.path("appservers").forEach(one -> take(server, one));
        }
    }

    private void take(NodeDescription server, JsonNode one) {
        String hash = one.path("evidence").asText();
        String accused = "appserver-" + one.path("server").asInt();
        if (!hash.matches("[0-9a-f]{64}") || known.contains(hash)) {
            return;
        }
        URI address = server.http().resolve("/v1/evidence/" + hash);
        Optional<Evidence> evidence = ServerAnswer.bytes(http, address)
                .join()
                .flatMap(bytes -> Codec.decode(bytes, Evidence.class).accepted())
                .filter(found -> Digests.evidence(found).toString().equals(hash));
        if (evidence.isEmpty() || judge.judge(evidence.get()) instanceof Judgement.Unfounded) {
            return; // Another server may have it.
        }
        known.add(hash);
        String by = server.id().toString();
        proofs.take(evidence.get(), by);
        state.story(state.timed()
                .put("kind", "proof")
                .putNull("since")
                .put("server", accused)
                .put("by", by)
                .put("text", by + " holds the proof " + evidence.get().kind() + " against " + accused)
                .put("proof", hash));
    }
}
