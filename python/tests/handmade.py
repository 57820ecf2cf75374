"""A model that is small enough to know every number of it: a triangle that follows a bone."""

MDL = b"""Version {
	FormatVersion 800,
}
Model "Handmade" {
	BlendTime 150,
	MinimumExtent { -1, -2, -3 },
	MaximumExtent { 4, 5, 6 },
	BoundsRadius 7,
}
Sequences 2 {
	Anim "Stand" {
		Interval { 0, 1000 },
	}
	Anim "Turn" {
		Interval { 2000, 4000 },
		NonLooping,
		MoveSpeed 30,
	}
}
Textures 1 {
	Bitmap {
		Image "Textures\\Handmade.blp",
	}
}
Materials 1 {
	Material {
		Layer {
			FilterMode Additive,
			TwoSided,
			static TextureID 0,
		}
	}
}
Geoset {
	Vertices 3 {
		{ 1, 0, 0 },
		{ 0, 2, 0 },
		{ 0, 0, 4 },
	}
	Normals 3 {
		{ 0, 0, 1 },
		{ 0, 0, 1 },
		{ 0, 0, 1 },
	}
	TVertices 3 {
		{ 0, 0 },
		{ 0.5, 0 },
		{ 0, 0.25 },
	}
	VertexGroup {
		0,
		0,
		0,
	}
	Faces 1 3 {
		Triangles {
			{ 0, 1, 2 },
		}
	}
	Groups 1 1 {
		Matrices { 0 },
	}
	MinimumExtent { 0, 0, 0 },
	MaximumExtent { 1, 2, 4 },
	MaterialID 0,
	SelectionGroup 0,
}
Bone "Root" {
	ObjectId 0,
	GeosetId 0,
	GeosetAnimId None,
	Translation 4 {
		Linear,
		0: { 0, 0, 0 },
		1000: { 10, 0, 0 },
		2000: { 0, 0, 0 },
		4000: { 0, 0, 8 },
	}
	Rotation 2 {
		Linear,
		2000: { 0, 0, 0, 1 },
		4000: { 0, 0, 0.70710678, 0.70710678 },
	}
}
PivotPoints 1 {
	{ 1, 0, 0 },
}
"""
