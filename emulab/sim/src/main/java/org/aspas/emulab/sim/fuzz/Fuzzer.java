package org.aspas.emulab.sim.fuzz;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.aspas.certify.wire.Kind;
import org.aspas.certify.wire.Message;
import org.aspas.certify.wire.Sealer;
import org.aspas.emulab.sim.engine.Chance;

/** Changes one or a few fields of genuine messages of one party, those first that its run changed least. */
public final class Fuzzer {
    private static final double SPARED = 0.4;
    private static final double AT_RANDOM = 0.2;
    private static final double ONE_MORE = 0.15;
    private static final int TRIES = 6;

    /**
     * A changed message.
     *
     * @param message it, signed again inside where signatures were above a change
     */
    public record Changed(Message message, Set<String> fields) {}

    private final Chance chance;
    private final FieldCoverage coverage;
    private final Fields fields;
    private final Mutations mutations;
    private final Set<String> spared;

    /**
     * A fuzzer.
     *
     * @param sealer signs again, with the party's own key
     * @param coverage what the run has changed so far
     */
    public Fuzzer(Sealer sealer, Chance chance, int servers, FieldCoverage coverage) {
        this.chance = chance;
        this.coverage = coverage;
        this.fields = new Fields(sealer, chance);
        this.mutations = new Mutations(sealer, chance, servers);
        // A party that lies in everything is excluded at once: in each run some kinds are left as they are.
        this.spared = List.of(Kind.values()).stream()
                .filter(kind -> chance.happens(SPARED))
                .map(kind -> kind.name() + ".")
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** Remembers what the fields of a genuine message hold, as values for others; returns those fields that may be changed. */
    public Set<String> learn(Message message) {
        Set<String> names = new TreeSet<>();
        for (Fields.Place place : fields.of(message)) {
            mutations.learn(place);
            if (!isSpared(place)) {
                names.add(place.field());
            }
        }
        return names;
    }

    /** The message with one or a few fields changed; empty when none of those chosen could be. */
    public Optional<Changed> change(Message genuine) {
        Message message = genuine;
        Set<String> changed = new TreeSet<>();
        do {
            Optional<Changed> once = once(message);
            if (once.isPresent()) {
                message = once.get().message();
                changed.addAll(once.get().fields());
            }
        } while (chance.happens(ONE_MORE));
        return changed.isEmpty() ? Optional.empty() : Optional.of(new Changed(message, changed));
    }

    /** How often that one of the fields was changed that was changed least; the greatest number when there is none. */
    public long least(Set<String> names) {
        return names.stream().mapToLong(coverage::changed).min().orElse(Long.MAX_VALUE);
    }

    private boolean isSpared(Fields.Place place) {
        return spared.contains(place.field().substring(0, place.field().indexOf('.') + 1));
    }

    private Optional<Changed> once(Message message) {
        List<Fields.Place> places = new ArrayList<>(fields.of(message));
        places.removeIf(this::isSpared);
        for (int i = 0; i < TRIES && !places.isEmpty(); i++) {
            Fields.Place place = chance.happens(AT_RANDOM) ? chance.pick(places) : rarest(places);
            places.remove(place);
            Optional<Message> changed = mutations.change(place);
            if (changed.isPresent() && !changed.get().equals(message)) {
                return Optional.of(new Changed(changed.get(), Set.of(place.field())));
            }
        }
        return Optional.empty();
    }

    private Fields.Place rarest(List<Fields.Place> places) {
        Fields.Place rarest = places.get(0);
        for (Fields.Place place : chance.shuffled(places)) {
            if (coverage.changed(place.field()) < coverage.changed(rarest.field())) {
                rarest = place;
            }
        }
        return rarest;
    }
}
