/**
 * What the cores of all three tiers share: nothing leaves a node that a crash could make untrue.
 *
 * <p>A core asks its shell to make a record durable by an effect {@code Persist(ticket, record)}. What rests on the record
 * waits in the core's {@link org.aspas.certify.step.Outbox}. The shell reports the {@link
 * org.aspas.certify.step.Ticket} by an event {@code Persisted(ticket)}, and then what waited leaves. Cores of
 * appservers, bftservers and clients all work in this way. The simulator stops appservers and bftservers between the two; its
 * clients' disks are durable at once.
 */
@org.jspecify.annotations.NullMarked
package org.aspas.certify.step;
