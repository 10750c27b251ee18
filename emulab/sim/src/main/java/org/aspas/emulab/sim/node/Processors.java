package org.aspas.emulab.sim.node;

import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.identity.PublicKey;
import org.aspas.certify.identity.Role;
import org.aspas.certify.identity.SignatureScheme;
import org.aspas.emulab.sim.engine.Timeline;

/** The machines of a run, and what work costs on them. */
public final class Processors {
    /** The three sides of a deployment, as reports tell them apart. */
    public enum Side {
        CLIENTS,
        APPSERVERS,
        BFTSERVERS
    }

    private record Place(Side side, int number) implements Comparable<Place> {
        @Override
        public int compareTo(Place other) {
            int bySide = side.compareTo(other.side);
            return bySide != 0 ? bySide : Integer.compare(number, other.number);
        }
    }

    private final Timeline timeline;
    private final ProcessorModel model;
    private final CountedSignatures signatures;
    private final Map<Place, Machine> machines = new TreeMap<>();

    public Processors(Timeline timeline, ProcessorModel model, SignatureScheme scheme) {
        this.timeline = timeline;
        this.model = model;
        this.signatures = new CountedSignatures(scheme, model.system().isCertified() ? model.costs() : Costs.FREE);
    }

    public Machine of(NodeId node) {
        return machine(node.role() == Role.APPSERVER ? Side.APPSERVERS : Side.BFTSERVERS, node.index());
    }

    public Machine ofClient(int client) {
        return machine(Side.CLIENTS, machineOfClient(client));
    }

    /** The number of a client's machine: the clients of one machine are one process. */
    public int machineOfClient(int client) {
        return model.oneMachine() ? 0 : client / model.clientsPerMachine();
    }

    private Machine machine(Side side, int number) {
        Place place = model.oneMachine() ? new Place(Side.APPSERVERS, 0) : new Place(side, number);
        return machines.computeIfAbsent(place, any -> new Machine(timeline, model.cores()));
    }

    public Collection<Machine> of(Side side) {
        return machines.entrySet().stream()
                .filter(entry -> entry.getKey().side() == side)
                .map(Map.Entry::getValue)
                .toList();
    }

    /** All machines count from now on. */
    public void countAnew() {
        machines.values().forEach(Machine::countAnew);
    }

    public CountedSignatures signatures() {
        return signatures;
    }

    /** What work costs, but for signatures, steps and frames, which this class counts. */
    public Costs costs() {
        return model.costs();
    }

    public StepMeter meter() {
        return model.meter();
    }

    /** What a step costs, without its signatures. */
    public long step(String kind, long size) {
        return !model.system().isCertified() && StepKind.isCertification(kind)
                ? 0
                : model.costs().step(kind, size);
    }

    /**
     * What it costs to handle a frame in some way.
     *
     * @param way the cost by length
     * @param label the name of the frame's message
     */
    public long frame(Linear way, String label, long bytes) {
        return !model.system().isCertified() && StepKind.isCertificationMessage(label) ? 0 : way.of(bytes);
    }

    /** What the order costs one bftserver for a command. */
    public long order(long bytes) {
        return !model.system().isCertified() ? 0 : model.costs().order().of(bytes);
    }

    /** Signs and verifies by another scheme, and counts what that would cost. For one thread. */
    static final class CountedSignatures implements SignatureScheme {
        private final SignatureScheme scheme;
        private final Costs costs;
        private long nanos;
        private long signed;
        private long verified;

        CountedSignatures(SignatureScheme scheme, Costs costs) {
            this.scheme = scheme;
            this.costs = costs;
        }

        /** What everything so far has cost. */
        public long nanos() {
            return nanos;
        }

        public long signed() {
            return signed;
        }

        /** How many signatures were verified so far; one that was remembered does not count. */
        public long verified() {
            return verified;
        }

        @Override
        public Signer signer(byte[] seed) {
            Signer signer = scheme.signer(seed);
            return text -> {
                signed++;
                nanos += costs.sign().of(text.length);
                return signer.sign(text);
            };
        }

        @Override
        public boolean verify(PublicKey key, byte[] text, byte[] signature) {
            verified++;
            nanos += costs.verify().of(text.length);
            return scheme.verify(key, text, signature);
        }
    }
}
