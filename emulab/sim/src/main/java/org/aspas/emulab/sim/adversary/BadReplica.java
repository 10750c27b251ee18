package org.aspas.emulab.sim.adversary;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.wire.Accept;
import org.aspas.certify.wire.BftReqStable;
import org.aspas.certify.wire.CertificateContent;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.Codec;
import org.aspas.certify.wire.Commit;
import org.aspas.certify.wire.Decoded;
import org.aspas.certify.wire.Epoch;
import org.aspas.certify.wire.Frame;
import org.aspas.certify.wire.Message;
import org.aspas.certify.wire.Recover;
import org.aspas.certify.wire.Share;
import org.aspas.certify.wire.Signed;
import org.aspas.certify.wire.Tick;
import org.aspas.emulab.sim.node.ReplicaConduct;
import org.aspas.emulab.sim.node.Wire;
import org.jspecify.annotations.Nullable;

/** Byzantine bftservers. */
final class BadReplica {
    private static final int REMEMBERED = 300;

    private BadReplica() {}

    private static @Nullable Message plain(Wire wire) {
        return wire.decoded() instanceof Decoded.Accepted<Frame> accepted
                        && accepted.value() instanceof Frame.Plain plain
                ? plain.message()
                : null;
    }

    /** The signed message that a command is; null when it is something else. */
    static @Nullable Message sealed(Wire command) {
        Signed<?> signed = signed(command);
        return signed == null ? null : signed.message();
    }

    /** The same with its signature. */
    static @Nullable Signed<?> signed(Wire command) {
        return command.decoded() instanceof Decoded.Accepted<Frame> accepted
                        && accepted.value() instanceof Frame.Sealed sealed
                ? sealed.signed()
                : null;
    }

    /** Whether it is one of the words by which bftservers certify. */
    static boolean isWord(@Nullable Message message) {
        return message instanceof Accept || message instanceof Commit;
    }

    /** Says nothing and submits nothing. */
    static ReplicaConduct silent(AdversaryContext power) {
        return new ReplicaConduct() {
            @Override
            public void toAppserver(NodeId to, Wire wire, Consumer<Wire> exit) {
                // Silent.
            }

            @Override
            public void submit(byte[] command, Consumer<byte[]> exit) {
                // Silent.
            }

            @Override
            public void toReplica(NodeId to, Wire word, Consumer<Wire> exit) {
                // Silent.
            }
        };
    }

    /** Signs another content than the one that was accepted, and perhaps the right one too. */
    static ReplicaConduct shares(AdversaryContext power, boolean both) {
        return new ReplicaConduct() {
            @Override
            public void toAppserver(NodeId to, Wire wire, Consumer<Wire> exit) {
                if (!(plain(wire) instanceof Share share)) {
                    exit.accept(wire);
                    return;
                }
                CertificateContent right = share.content().message();
                CertificateContent wrong = WrongCertificates.withState(
                        right, Hash.sha256(right.state().toBytes()));
                Wire lie = Wire.of(new Share(share.replica(), power.sealer().seal(wrong)));
                if (both) {
                    boolean lieFirst = power.chance().happens(0.5);
                    exit.accept(lieFirst ? lie : wire);
                    exit.accept(lieFirst ? wire : lie);
                } else {
                    exit.accept(lie);
                }
            }
        };
    }

    /** Votes for ordered time far ahead, and often. */
    static ReplicaConduct ticksAhead(AdversaryContext power) {
        return new ReplicaConduct() {
            private long next = 1;

            @Override
            public void submit(byte[] command, Consumer<byte[]> exit) {
                if (sealed(new Wire(command)) instanceof Tick tick) {
                    next = tick.k();
                    for (int i = 0; i < 4; i++) {
                        tick(exit, next + i);
                    }
                } else {
                    exit.accept(command);
                }
            }

            @Override
            public void tick(Consumer<byte[]> exit) {
                tick(exit, next + power.chance().between(1, 1_000));
            }

            private void tick(Consumer<byte[]> exit, long k) {
                exit.accept(
                        Codec.encode(power.sealer().seal(new Tick(power.self().index(), k))));
            }
        };
    }

    /** Asks the appservers for other versions than the machine does. */
    static ReplicaConduct questions(AdversaryContext power) {
        return new ReplicaConduct() {
            @Override
            public void toAppserver(NodeId to, Wire wire, Consumer<Wire> exit) {
                if (wire.decoded() instanceof Decoded.Accepted<Frame> accepted
                        && accepted.value() instanceof Frame.Sealed sealed
                        && sealed.signed().message() instanceof BftReqStable asked) {
                    int origin = power.chance().index(asked.version().size());
                    BftReqStable lie = new BftReqStable(
                            asked.replica(),
                            new Epoch(asked.epoch().value() + power.chance().between(0, 3)),
                            asked.round() + power.chance().between(0, 3),
                            asked.previous(),
                            new CertificateNumber(
                                    asked.number().value() + power.chance().between(0, 1)),
                            asked.version()
                                    .with(
                                            origin,
                                            asked.version().get(origin)
                                                    + power.chance().between(0, 50)),
                            asked.exclusions());
                    Signed<BftReqStable> signed = power.sealer().seal(lie);
                    exit.accept(Wire.of(signed));
                } else {
                    exit.accept(wire);
                }
            }
        };
    }

    /** Accepts contents that nobody decided. */
    static ReplicaConduct accepts(AdversaryContext power) {
        return new ReplicaConduct() {
            @Override
            public void submit(byte[] command, Consumer<byte[]> exit) {
                if (sealed(new Wire(command)) instanceof Accept accept) {
                    Accept lie = new Accept(
                            accept.replica(),
                            accept.number(),
                            accept.attempt() + power.chance().between(0, 1),
                            Hash.of(power.chance().bytes(Hash.LENGTH)));
                    exit.accept(Codec.encode(power.sealer().seal(lie)));
                } else {
                    exit.accept(command);
                }
            }
        };
    }

    /** Claims the highest epoch, and the highest attempt of a number that nobody has seen, whenever it says what its record holds. */
    static ReplicaConduct claims(AdversaryContext power) {
        return new ReplicaConduct() {
            @Override
            public void submit(byte[] command, Consumer<byte[]> exit) {
                if (sealed(new Wire(command)) instanceof Recover own) {
                    Recover lie = new Recover(
                            own.replica(),
                            own.start(),
                            own.answers(),
                            true,
                            new Epoch(Long.MAX_VALUE / 4),
                            own.number().next(),
                            Long.MAX_VALUE / 4,
                            own.proven());
                    exit.accept(Codec.encode(power.sealer().seal(lie)));
                } else {
                    exit.accept(command);
                }
            }
        };
    }

    /** Puts old and broken commands into the order. */
    static ReplicaConduct noise(AdversaryContext power) {
        return new ReplicaConduct() {
            private final List<byte[]> old = new ArrayList<>();

            @Override
            public void submit(byte[] command, Consumer<byte[]> exit) {
                exit.accept(command);
                power.chance().keep(old, command, REMEMBERED);
            }

            @Override
            public void tick(Consumer<byte[]> exit) {
                if (!old.isEmpty()) {
                    byte[] again = power.chance().pick(old);
                    exit.accept(power.chance().happens(0.5) ? again : Noise.mutated(power, again));
                }
            }

            @Override
            public void toAppserver(NodeId to, Wire wire, Consumer<Wire> exit) {
                exit.accept(power.chance().happens(0.3) ? new Wire(Noise.mutated(power, wire.bytes())) : wire);
            }
        };
    }
}
