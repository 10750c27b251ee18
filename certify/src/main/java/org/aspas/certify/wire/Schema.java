package org.aspas.certify.wire;

/**
 * The one list of a record's items, in the order in which they stand on the wire. It makes a record of the items that it is given: to
 * read, these come out of a text; to write, they are those of a record, each is written when it is given, and what is made of them is
 * dropped. So what is read cannot differ from what is written, and no item has to be boxed.
 *
 * @param <M> the record
 */
@FunctionalInterface
interface Schema<M> {
    /**
     * Makes the record.
     *
     * @throws Malformed when an item is not one that the record can have; never while it is written
     */
    M of(Items<M> items) throws Malformed;
}
