package org.aspas.emulab.sim.node;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.ReadPart;
import org.aspas.client.core.CallId;
import org.aspas.client.core.Event;
import org.aspas.crdt.type.DataTypes;
import org.aspas.crdt.value.Operation;
import org.aspas.crdt.value.Value;
import org.aspas.emulab.sim.engine.SeededRandom;
import org.aspas.emulab.sim.invariant.ClientUpdate;
import org.jspecify.annotations.Nullable;

/**
 * What the application of a correct client does. The objects {@code counter/N} and {@code set/N} are client N's own; all
 * others are shared: {@code counter/all} and {@code set/all}; {@code counter/wide}, which wraps around; {@code set/large},
 * with large elements of every kind; and {@code typed/K}, each of which some take for a counter and others for a set, so
 * that the updates of one type are refused or have no effect.
 */
public final class Workload {
    /** Which updates there are. */
    public enum Mix {
        /** Increments by one, fresh elements, and removals in the shared set alone: what older seeds were found with. */
        CLASSIC,
        /** All operations of all types, on own and shared objects. */
        FULL,
        /** Increments by one of a thousand shared counters, some much more often than others; no reads. */
        COUNTERS,
        /** Elements of 4,096 bytes for a thousand shared sets, some much more often than others; no reads. */
        SETS;

        /** Whether it is a load for measurements: updates of shared records, and nothing else. */
        boolean isLoad() {
            return this == COUNTERS || this == SETS;
        }
    }

    public static final String SHARED_COUNTER = "counter/all";

    public static final String SHARED_SET = "set/all";

    private static final String WIDE_COUNTER = "counter/wide";
    private static final String LARGE_SET = "set/large";
    private static final String COUNTER = DataTypes.PN_COUNTER.name();
    private static final String SET = DataTypes.AW_SET.name();
    private static final int SHARED_ELEMENTS = 12;
    private static final int LARGE_ELEMENTS = 6;
    private static final int LARGEST = 4096;
    private static final int ELEMENTS_OF_RECORD = 8;
    private static final int TICKETS_PER_TYPED_KEY = 8;

    private final int client;
    private final SeededRandom chance;
    private final Mix mix;
    private final List<Value> own = new ArrayList<>();

    public Workload(int client, SeededRandom chance, Mix mix) {
        this.client = client;
        this.chance = chance;
        this.mix = mix;
    }

    /** Whether the next thing to do is a read. */
    boolean reads() {
        return !mix.isLoad() && chance.happens(0.1);
    }

    Event.ReadAsked read(CallId call) {
        boolean counter = chance.happens(0.5);
        boolean shared = chance.happens(0.5);
        String key = (counter ? "counter/" : "set/") + (shared ? "all" : String.valueOf(client));
        boolean certified = chance.happens(0.5);
        return new Event.ReadAsked(
                call, key, counter ? COUNTER : SET, certified, counter ? null : part(call, key, certified));
    }

    /** Of every third read of a set all, of the others one element, or a certified page. */
    private static @Nullable ReadPart part(CallId call, String key, boolean certified) {
        long choice = call.value() % 3;
        if (choice == 0) {
            return null;
        }
        return choice == 1 && certified
                ? ReadPart.page(Hash.ZERO, CertificateNumber.NONE)
                : ReadPart.element(
                        Value.of("element " + (key.equals(SHARED_SET) ? call.value() % SHARED_ELEMENTS : call)));
    }

    ClientUpdate update(CallId call) {
        if (mix.isLoad()) {
            return load(call);
        }
        double choice = chance.fraction();
        return mix == Mix.FULL ? any(call, choice) : classic(call, choice);
    }

    private ClientUpdate load(CallId call) {
        int record = ZipfianRecords.next(chance);
        if (mix == Mix.COUNTERS) {
            return counter(call, "record/counter/" + record, "increment", 1);
        }
        String name = "element " + chance.index(ELEMENTS_OF_RECORD) + " ";
        return set(call, "record/set/" + record, "add", Value.of(name + "x".repeat(LARGEST - name.length())));
    }

    private ClientUpdate classic(CallId call, double choice) {
        if (choice < 0.45) {
            return counter(call, "counter/" + client, "increment", 1);
        }
        if (choice < 0.65) {
            return set(call, "set/" + client, "add", Value.of("element " + call));
        }
        if (choice < 0.75) {
            return counter(call, SHARED_COUNTER, "increment", 1);
        }
        Value element = Value.of("element " + chance.index(SHARED_ELEMENTS));
        return set(call, SHARED_SET, choice < 0.9 ? "add" : "remove", element);
    }

    private ClientUpdate any(CallId call, double choice) {
        if (choice < 0.25) {
            return counter(call, "counter/" + client);
        }
        if (choice < 0.35) {
            return counter(call, SHARED_COUNTER);
        }
        if (choice < 0.6) {
            return ownSet(call);
        }
        if (choice < 0.84) {
            return sharedSet(call);
        }
        if (choice < 0.88) {
            String operation = chance.happens(0.7) ? "increment" : "decrement";
            return counter(call, WIDE_COUNTER, operation, chance.between(Long.MAX_VALUE / 4, Long.MAX_VALUE));
        }
        return choice < 0.92 ? large(call) : typed(call);
    }

    private ClientUpdate counter(CallId call, String key) {
        return counter(call, key, chance.happens(0.7) ? "increment" : "decrement", chance.between(1, 5));
    }

    /** Adds, adds again what was there, removes what may be there, and sometimes clears. */
    private ClientUpdate ownSet(CallId call) {
        String key = "set/" + client;
        double choice = chance.fraction();
        if (own.isEmpty() || choice < 0.5) {
            Value fresh = Value.of("element " + call);
            own.add(fresh);
            return set(call, key, "add", fresh);
        }
        if (choice < 0.95) {
            return set(call, key, choice < 0.7 ? "add" : "remove", chance.pick(own));
        }
        return clear(call, key);
    }

    private ClientUpdate sharedSet(CallId call) {
        double choice = chance.fraction();
        Value element = Value.of("element " + chance.index(SHARED_ELEMENTS));
        return choice < 0.95
                ? set(call, SHARED_SET, choice < 0.55 ? "add" : "remove", element)
                : clear(call, SHARED_SET);
    }

    private ClientUpdate large(CallId call) {
        int index = chance.index(LARGE_ELEMENTS);
        String text = "é".repeat(LARGEST / 2 - index / 3);
        Value element = switch (index % 3) {
            case 0 -> Value.of(Long.MIN_VALUE + index);
            case 1 -> Value.of(text);
            default -> Value.of(text.getBytes(StandardCharsets.UTF_8));
        };
        return set(call, LARGE_SET, chance.happens(0.6) ? "add" : "remove", element);
    }

    private ClientUpdate typed(CallId call) {
        String key = "typed/" + call.value() / TICKETS_PER_TYPED_KEY;
        return chance.happens(0.5)
                ? counter(call, key)
                : set(call, key, "add", Value.of("element " + chance.index(SHARED_ELEMENTS)));
    }

    private ClientUpdate counter(CallId call, String key, String operation, long amount) {
        return new ClientUpdate(client, call, key, COUNTER, Operation.of(operation, Value.of(amount)));
    }

    private ClientUpdate set(CallId call, String key, String operation, Value element) {
        return new ClientUpdate(client, call, key, SET, Operation.of(operation, element));
    }

    private ClientUpdate clear(CallId call, String key) {
        return new ClientUpdate(client, call, key, SET, Operation.of("clear"));
    }

    /**
     * A choice among as many records as the YCSB runs on real sockets have, in the same way: zipfian with YCSB's constant, so
     * that the first record is chosen most often.
     */
    private static final class ZipfianRecords {
        private static final int RECORDS = 1_000;
        private static final double CONSTANT = 0.99;
        private static final double[] UP_TO = cumulated();

        private ZipfianRecords() {}

        private static double[] cumulated() {
            double[] sums = new double[RECORDS];
            double sum = 0;
            for (int record = 0; record < RECORDS; record++) {
                sum += 1 / Math.pow(record + 1, CONSTANT);
                sums[record] = sum;
            }
            for (int record = 0; record < RECORDS; record++) {
                sums[record] /= sum;
            }
            return sums;
        }

        static int next(SeededRandom chance) {
            int found = Arrays.binarySearch(UP_TO, chance.fraction());
            return Math.min(RECORDS - 1, found < 0 ? -found - 1 : found);
        }
    }
}
