package org.aspas.emulab.sim.model;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.aspas.appserver.core.object.Candidate;
import org.aspas.appserver.core.object.ObjectStore;
import org.aspas.certify.wire.ClientSigned;
import org.aspas.crdt.clock.VersionVector;
import org.aspas.crdt.value.Operation;
import org.aspas.crdt.value.Value;
import org.junit.jupiter.api.Test;

/**
 * The model and a server's objects agree on random logs in which clients give updates to several servers, say two things
 * under one number, use two types under one key, and name operations that do not exist.
 */
class ModelAgainstServerTest {
    private static final int ORIGINS = 4;
    private static final int CLIENTS = 3;
    private static final List<String> KEYS = List.of("c", "s", "k", "l");
    private static final List<String> TYPES = List.of("pn-counter", "aw-set", "aw-set", "no type");

    private final List<ClientSigned> said = new ArrayList<>();

    private static Operation operation(SplittableRandom random) {
        Value element = random.nextInt(8) == 0
                ? Value.of(new byte[] {(byte) random.nextInt(256)})
                : random.nextBoolean() ? Value.of(random.nextInt(4)) : Value.of("é" + random.nextInt(3));
        return switch (random.nextInt(12)) {
            case 0 -> Operation.of("clear");
            case 1 -> Operation.of("decrement", Value.of(random.nextLong(1, Long.MAX_VALUE)));
            case 2, 3 -> Operation.of("increment", Value.of(random.nextLong(1, Long.MAX_VALUE)));
            case 4, 5, 6 -> Operation.of("remove", element);
            case 7 -> Operation.of("add", element, element);
            default -> Operation.of("add", element);
        };
    }

    /** Mostly a low one; some are far ahead, and some about where they can count no more (docs/formats.md, §6). */
    private static long number(SplittableRandom random) {
        return switch (random.nextInt(20)) {
            case 0 -> random.nextLong(1, 3000);
            case 1 -> random.nextLong(131_060, 131_100);
            default -> random.nextLong(1, 60);
        };
    }

    private ClientSigned words(SplittableRandom random) {
        if (!said.isEmpty() && random.nextInt(3) == 0) {
            return said.get(random.nextInt(said.size()));
        }
        int client = random.nextInt(CLIENTS);
        ClientSigned words = random.nextInt(8) == 0
                ? Logs.session(client, random.nextInt(1, 5), random.nextInt(4))
                : Logs.request(
                        client,
                        number(random),
                        KEYS.get(random.nextInt(KEYS.size())),
                        TYPES.get(random.nextInt(TYPES.size())),
                        operation(random));
        said.add(words);
        return words;
    }

    private void run(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        Logs logs = new Logs(ORIGINS);
        ObjectStore store = new ObjectStore();
        ReferenceModel model = new ReferenceModel();
        List<VersionVector> delivered = new ArrayList<>();
        for (int origin = 0; origin < ORIGINS; origin++) {
            delivered.add(VersionVector.zero(ORIGINS));
        }
        VersionVector certified = VersionVector.zero(ORIGINS);
        for (int step = 0; step < 200; step++) {
            int server = random.nextInt(ORIGINS);
            int what = random.nextInt(10);
            if (what < 4) {
                logs.append(server, words(random), delivered.get(server).toArray());
                delivered.set(server, delivered.get(server).with(server, logs.disk.size(server)));
            } else if (what < 9) {
                // What another one has delivered is closed, so all of it can be.
                delivered.set(server, delivered.get(server).join(delivered.get(random.nextInt(ORIGINS))));
            } else {
                VersionVector version = certified.join(delivered.get(server));
                Candidate candidate = store.candidate(certified, logs.between(certified, version));
                List<Discrepancy> found = model.certify(
                        logs.content(model, version, candidate.root(), List.of()), logs.placed(certified, version));
                store.commit(candidate);
                certified = version;
                assertEquals(List.of(), found, "seed " + seed);
                assertEquals(candidate.root(), model.stateFromScratch(), "seed " + seed);
            }
        }
        model.objects().forEach((key, type) -> {
            assertEquals(
                    Optional.of(store.certifiedValue(key, type)),
                    model.valueAt(key, type, model.number()),
                    key + ", seed " + seed);
        });
    }

    @Test
    void equalStatesOnRandomLogs() {
        for (long seed = 1; seed <= 300; seed++) {
            said.clear();
            run(seed);
        }
    }
}
