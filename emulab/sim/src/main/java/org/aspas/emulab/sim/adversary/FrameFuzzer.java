package org.aspas.emulab.sim.adversary;

import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.aspas.certify.wire.Codec;
import org.aspas.certify.wire.Decoded;
import org.aspas.certify.wire.Frame;
import org.aspas.certify.wire.Kind;
import org.aspas.certify.wire.Message;
import org.aspas.certify.wire.Request;
import org.aspas.certify.wire.Sealer;
import org.aspas.certify.wire.TaggedRequest;
import org.aspas.emulab.sim.engine.SeededRandom;

/** Makes frames with changed fields out of the genuine ones that one party has sent or seen. */
public final class FrameFuzzer {
    private static final int REMEMBERED = 5;
    private static final int LOOKED_AT = 6;

    private record Known(Frame frame, Set<String> fields) {}

    private final Sealer sealer;
    private final SeededRandom chance;
    private final FieldCoverage coverage;
    private final Fuzzer fuzzer;
    private final Predicate<Message> own;
    private final Map<Kind, List<Known>> genuine = new EnumMap<>(Kind.class);

    /**
     * A fuzzer of one party's frames.
     *
     * @param sealer signs with the party's own key
     * @param own whether a signed message names this party as its signer, so that its signature is right
     */
    public FrameFuzzer(
            Sealer sealer, SeededRandom chance, int servers, FieldCoverage coverage, Predicate<Message> own) {
        this.sealer = sealer;
        this.chance = chance;
        this.coverage = coverage;
        this.fuzzer = new Fuzzer(sealer, chance, servers, coverage);
        this.own = own;
    }

    /** Remembers a genuine frame. */
    public void learn(Frame frame) {
        Message message = message(frame);
        Known known = new Known(frame, fuzzer.learn(message));
        chance.keep(genuine.computeIfAbsent(message.kind(), any -> new ArrayList<>()), known, REMEMBERED);
    }

    /** The frame with something changed in it, signed again; empty when nothing was. */
    public Optional<byte[]> changed(Frame frame) {
        return fuzzer.change(message(frame)).map(changed -> {
            byte[] bytes = frame instanceof Frame.Sealed sealed && sealed.tags().length == 0
                    ? Codec.encode(sealer.seal(changed.message()))
                    : Codec.encode(changed.message());
            coverage.count(changed.fields(), fit(bytes));
            return bytes;
        });
    }

    /** A changed frame of one of these kinds, rather of one whose fields were changed less than those of others. */
    public Optional<byte[]> any(Collection<Kind> kinds) {
        List<Kind> known = kinds.stream().filter(genuine::containsKey).toList();
        if (known.isEmpty()) {
            return Optional.empty();
        }
        Known least = null;
        long changes = Long.MAX_VALUE;
        for (Kind kind : chance.shuffled(known).subList(0, Math.min(LOOKED_AT, known.size()))) {
            Known frame = chance.pick(genuine.getOrDefault(kind, List.of()));
            long count = fuzzer.least(frame.fields());
            if (least == null || count < changes) {
                least = frame;
                changes = count;
            }
        }
        return least == null ? Optional.empty() : changed(least.frame());
    }

    private boolean fit(byte[] bytes) {
        return Codec.decode(bytes) instanceof Decoded.Accepted<Frame> accepted
                && (!(accepted.value() instanceof Frame.Sealed sealed)
                        || own.test(sealed.signed().message()));
    }

    private static Message message(Frame frame) {
        if (frame instanceof Frame.Plain plain) {
            return plain.message();
        }
        Frame.Sealed sealed = (Frame.Sealed) frame;
        Message message = sealed.signed().message();
        return sealed.tags().length == 0
                ? message
                : sealed.signed()
                        .as(Request.class)
                        .<Message>map(request -> new TaggedRequest(request, sealed.tags()))
                        .orElse(message);
    }
}
